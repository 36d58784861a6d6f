#include "harness/row.h"

#include <math.h>
#include <stdio.h>

static const double SEVERAL = 1.2; /* cores at work from which on a rung counts as multi-core */

bool row_several(const struct row *row)
{
    return row->threads > 1 || row->cores > SEVERAL;
}

double limit_share(const struct limit *limit, const struct series *time)
{
    return limit->name != NULL && time->rounds > 0
               ? limit->floor / median_of(time->round, time->rounds)
               : NAN;
}

bool row_timed(const struct row *row)
{
    return row->fate.outcome == OUTCOME_OK && row->e2e.rounds > 0;
}

double row_work(const struct row *row, const char **unit)
{
    static char items[48];
    struct cost cost = row->problem->cost(row->dims);

    switch (row->problem->rate) {
    case RATE_FLOPS: *unit = "GFLOP/s"; return cost.flops;
    case RATE_BYTES: *unit = "GB/s"; return cost.bytes;
    case RATE_ITEMS: break;
    }
    snprintf(items, sizeof items, "G%s/s", row->problem->item);
    *unit = items;
    return cost.items;
}
