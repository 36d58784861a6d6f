#include "harness/row.h"

#include <stdio.h>
#include <string.h>

struct name row_name(const struct row *row)
{
    struct name name = variant_name(row->variant);

    if (row->twin) {
        snprintf(name.variant + strlen(name.variant), sizeof name.variant - strlen(name.variant),
                 "@2");
        snprintf(name.full, sizeof name.full, "%s/%s", name.problem, name.variant);
    }
    return name;
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
