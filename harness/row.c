#include "harness/row.h"

#include <stdio.h>

size_t series_shared(const struct series *a, const struct series *b, const double **x,
                     const double **y)
{
    size_t first = a->first > b->first ? a->first : b->first;
    size_t end = a->first + a->rounds < b->first + b->rounds ? a->first + a->rounds
                                                             : b->first + b->rounds;

    if (end <= first)
        return 0;
    *x = a->round + (first - a->first);
    *y = b->round + (first - b->first);
    return end - first;
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
