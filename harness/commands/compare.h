/* What the two halves of `rungs compare` share. */
#ifndef RUNGS_COMMANDS_COMPARE_H
#define RUNGS_COMMANDS_COMPARE_H

#include <jansson.h>

#include "harness/commands/command.h"
#include "harness/records/match.h"
#include "harness/table/grid.h"

/* Prints what changed from one to the other; returns the exit status.  `differs`: how the machines
   do, where that is to be overlooked; else NULL. */
int compare_files(const struct options *o, const struct records *was, const struct records *is,
                  const char *differs);

/* The columns of a comparison in a grid, from COMPARE_RATIO on; people do not see all of them. */
enum {
    COMPARE_RATIO, COMPARE_INTERVAL, COMPARE_LOW, COMPARE_HIGH, COMPARE_CONFIDENCE, COMPARE_ROUNDS,
    COMPARE_METHOD, COMPARE_VERDICT, COMPARE_COLUMNS
};
extern const struct grid_column compare_columns[COMPARE_COLUMNS];

/* `column`: of its ratio.  Dashes where there is no ratio. */
void compare_set(struct grid *g, size_t column, const struct comparison *c);

/* The same for people alone, in three columns: ratio, interval, verdict. */
void compare_set_beside(struct grid *g, size_t column, const struct comparison *c);

#endif
