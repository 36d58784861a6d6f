/*
 * The table of all options.  Parsing, --help, the man page's list and shell completion read it.
 *
 * The program's own rows come first, then the rows of the problems: their inputs (--obs FILE) and
 * axes (--k N).
 */
#ifndef RUNGS_OPTION_TABLE_H
#define RUNGS_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/commands/options.h"

struct option_row;

/* An option on the command line. */
struct option_given {
    const struct option_row *row;
    const char *name;  /* as the user typed it: the row's name or its alias */
    const char *value; /* NULL: none */
    void *field;       /* the member of struct options that take() sets */
};

struct option_row {
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* "FILE"; "[SECONDS]": may be left out; NULL: the option is a flag */
    const char *values;   /* its possible values, where there is a list of them: "svg png pdf" */
    const char *commands; /* the commands that take it: "bench sweep"; NULL: all */
    bool (*take)(const struct option_given *g, struct error *error); /* stores the value */
    size_t field;         /* offset of the member in struct options */
    const char *help;
    const char *alias;    /* an older name, which works and is listed nowhere; NULL: none */
    bool typed;           /* only on the command line: it has no default elsewhere (defaults.h) */
};

/* Returns all rows.  A name has several rows if commands describe it differently, but only one for
   each command. */
size_t option_table(const struct option_row **rows);

/* Returns how many of them are the program's own.  They come first. */
size_t option_table_own(void);

/* Can the user set a default of this option (defaults.h)?  Options of problems have none. */
bool option_table_has_default(const struct option_row *row);

/* Does the command take this option? */
bool option_table_is_of(const struct option_row *row, const char *command);

/* Returns the row with that name or alias for the command (NULL: for any), or NULL. */
const struct option_row *option_table_find(const char *name, const char *command);

/* No option has this name.  The error suggests the nearest one. */
bool option_table_unknown(const char *word, struct error *error);

/* Writes words that are separated by blanks as a list: "bench, check and sweep". */
void option_table_list(const char *words, const char *last, char *text, size_t bytes);

/* Writes an option as help shows it: "--quick", "-x, --exclude PATTERN", "--capture[=SECONDS]". */
void option_table_spell(const struct option_row *row, char *text, size_t bytes);

#endif
