/* A sweep for people: all times in one table, then what follows from them, in sentences. */
#ifndef RUNGS_TABLE_SWEEP_H
#define RUNGS_TABLE_SWEEP_H

#include <stdio.h>

#include "harness/records/sweep.h"
#include "harness/table/grid.h"

/* A variant a line, a size a column. */
void table_sweep(FILE *out, enum format format, const struct sweep *s);

/* Which variant pays from which size on, and after how many calls. */
void table_crossovers(FILE *out, bool markdown, const struct sweep *s);

#endif
