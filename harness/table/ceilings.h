/* The table of a machine's ceilings: its peak rates. */
#ifndef RUNGS_TABLE_CEILINGS_H
#define RUNGS_TABLE_CEILINGS_H

#include "harness/records/ceiling_value.h"
#include "harness/table/grid.h"

/* Prints ceilings.  Text and Markdown have the best of each, sorted; HTML has all, sorted; CSV has all, in
   the given order; JSON has the records.  `caption` may be NULL. */
void table_ceilings(FILE *out, enum format format, const struct ceiling_value values[],
                    size_t count, const char *caption);

#endif
