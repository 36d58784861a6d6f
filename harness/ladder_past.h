/* The ladder of a table that a file of records holds: its cells as rivals. */
#ifndef RUNGS_LADDER_PAST_H
#define RUNGS_LADDER_PAST_H

#include "harness/files/records.h"
#include "harness/ladder.h"

/* Of one run, problem and size, and of a user's files or not? */
bool cells_share_table(const struct past_cell *a, const struct past_cell *b);

/* The rivals of one table and how they stand; the cells must outlive it. */
struct ladder ladder_of_cells(const struct past_cell cells[], size_t count);

#endif
