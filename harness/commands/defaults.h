/*
 * Defaults of options that the user has set: a variable of the environment for each option, RUNGS_MAX_TIME for
 * --max-time, and a file with an option a line as on the command line, ~/.config/rungs/options:
 *
 *     # comments and empty lines are skipped
 *     --max-time 2
 *     --quiet
 *
 * The command line comes first, then the environment, then the file.  A flag's variable is 1, or empty or 0, which
 * switches off the file's line.  A default applies to every command that takes the option.
 */
#ifndef RUNGS_DEFAULTS_H
#define RUNGS_DEFAULTS_H

#include "harness/commands/option_table.h"

enum { DEFAULT_FROM = 512 };

struct user_default {
    const char *value;       /* NULL: the option is a flag */
    char from[DEFAULT_FROM]; /* for people: "RUNGS_MAX_TIME", "/home/me/.config/rungs/options:3" */
};

/* Reads the file, once.  Returns false if it has a line that is no option, and sets the error. */
bool defaults_read(struct error *error);

/* Finds the user's default of an option.  Returns false if there is none. */
bool defaults_find(const struct option_row *row, struct user_default *found);

/* Stores the default by the row's take().  On failure the error begins with where the default is from. */
bool defaults_take(const struct option_row *row, const struct user_default *d, struct options *o,
                   struct error *error);

/* Writes the name of the option's variable: "RUNGS_MAX_TIME". */
void defaults_variable(const struct option_row *row, char *name, size_t bytes);

/* Writes the path of the file.  Returns false if there is no folder for it. */
bool defaults_file(char *path, size_t bytes);

#endif
