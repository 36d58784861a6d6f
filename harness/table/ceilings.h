/* What a machine can do at best, as a table. */
#ifndef RUNGS_TABLE_CEILINGS_H
#define RUNGS_TABLE_CEILINGS_H

#include "harness/records/ceiling_value.h"
#include "harness/table/grid.h"

/* Text and Markdown have the best of each, sorted; HTML all of them, sorted; CSV all, as they come;
   JSON the records.  `caption` may be NULL. */
void table_ceilings(FILE *out, enum format format, const struct ceiling_value values[],
                    size_t count, const char *caption);

#endif
