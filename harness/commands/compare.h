/* The two halves of `rungs compare`: between two files of records, and within one. */
#ifndef RUNGS_COMMANDS_COMPARE_H
#define RUNGS_COMMANDS_COMPARE_H

#include <jansson.h>

#include "harness/commands/command.h"
#include "harness/grid.h"
#include "harness/match.h"

/* Prints what changed from one to the other; returns the exit status.  `differs`: how the machines
   do, where that is to be overlooked; else NULL. */
int compare_files(const struct options *o, const struct past *was, const struct past *is,
                  const char *differs);

/* Prints the comparisons of each table in the file; returns the exit status. */
int compare_within(const struct options *o, const struct past *p);

/* Three columns of a grid: ratio, interval, verdict; left as they are where there is no ratio. */
void compare_set(struct grid *g, size_t column, const struct comparison *c);

/* Behind a comma each: ratio, low, high, conf, rounds, method, verdict. */
extern const char compare_csv_names[];
void compare_print_csv(const struct comparison *c);

/* One line; the object is gone. */
void compare_print_json(json_t *object);
json_t *compare_size_json(const struct past_cell *c);
json_t *compare_scale_json(const struct past_cell *c);

#endif
