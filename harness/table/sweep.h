/* A sweep as text: a table of all times, then sentences about crossovers. */
#ifndef RUNGS_TABLE_SWEEP_H
#define RUNGS_TABLE_SWEEP_H

#include <stdio.h>

#include "harness/records/sweep.h"
#include "harness/table/grid.h"

/* Prints the times: a variant a line, a size a column. */
void table_sweep(FILE *out, enum format format, const struct sweep *s);

/* Prints from which size on each contender is faster, and after how many calls its setup pays off. */
void table_crossovers(FILE *out, bool markdown, const struct sweep *s);

#endif
