/* The legend of tables of results. */
#ifndef RUNGS_TABLE_LEGEND_H
#define RUNGS_TABLE_LEGEND_H

#include <stdio.h>

#include "harness/table/columns.h"

/* Prints a line for each column and flag that was seen, and for each mark of a ratio. */
void legend_print(FILE *out, const struct columns_seen *seen);

#endif
