/* The parts of `rungs compare`: compare.c for one file, compare_files.c for two. */
#ifndef RUNGS_COMMANDS_COMPARE_H
#define RUNGS_COMMANDS_COMPARE_H

#include <jansson.h>

#include "harness/commands/command.h"
#include "harness/records/match.h"
#include "harness/table/grid.h"

/* Prints what changed from one file to the other and returns the exit status.  `differs`: how the machines
   differ (with --force), or NULL. */
int compare_files(const struct options *o, const struct records *was, const struct records *is,
                  const char *differs);

/* Prints what these tables mean, on standard output.  `what`: "than the baseline". */
void compare_legend(const char *what);

/* The columns of a comparison in a grid.  Some are for programs only. */
enum {
    COMPARE_RATIO, COMPARE_INTERVAL, COMPARE_LOW, COMPARE_HIGH, COMPARE_CONFIDENCE, COMPARE_ROUNDS,
    COMPARE_METHOD, COMPARE_VERDICT, COMPARE_COLUMNS
};
extern const struct grid_column compare_columns[COMPARE_COLUMNS];

/* Fills these columns, of which `column` is the first.  Without a ratio they stay dashes. */
void compare_set(struct grid *g, size_t column, const struct comparison *c);

/* Fills three columns for people: ratio, interval, verdict. */
void compare_set_beside(struct grid *g, size_t column, const struct comparison *c);

#endif
