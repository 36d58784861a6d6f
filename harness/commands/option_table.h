/*
 * Every option, in one table: parsing, --help, the man page's list and shell completion come from it.
 *
 * Behind the table's own rows stand those of the problems: their inputs (--obs FILE) and axes (--k N).
 */
#ifndef RUNGS_OPTION_TABLE_H
#define RUNGS_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/commands/options.h"

struct option_row;

/* An option as it was given. */
struct option_given {
    const struct option_row *row;
    const char *value; /* NULL: none */
    void *field;       /* of struct options, where it is to be stored */
};

struct option_row {
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* "FILE"; "[SECONDS]": may be left out; NULL: the option is a flag */
    const char *values;   /* what the argument may be, as far as that is known: "svg png pdf" */
    const char *commands; /* that take it: "bench sweep"; NULL: all */
    bool (*take)(const struct option_given *g, struct error *error); /* stores it */
    size_t field;         /* where: the offset in struct options */
    const char *help;
};

/* All rows.  A name has several where commands describe it differently; never two for one command. */
size_t option_table(const struct option_row **rows);

/* How many of them are not a problem's. */
size_t option_table_own(void);

/* Does the command take this row's option? */
bool option_table_is_of(const struct option_row *row, const char *command);

/* The row of that name for the command (NULL: for any); NULL: there is none. */
const struct option_row *option_table_find(const char *name, const char *command);

/* "bench, check and sweep": a list of words between blanks, for people. */
void option_table_list(const char *words, const char *last, char *text, size_t bytes);

/* "--quick", "-x, --exclude PATTERN", "--capture[=SECONDS]" */
void option_table_spell(const struct option_row *row, char *text, size_t bytes);

#endif
