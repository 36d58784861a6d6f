/* Copies, by direction. */
#include <string.h>

#include "harness/sim/counters.h"
#include "harness/sim/traffic.h"

struct sim_traffic sim_traffic[MAX_PHASES];

enum sim_direction sim_direction(int from, int to)
{
    if (from == HOST)
        return to == HOST ? HTOH : HTOD;
    return to == HOST ? DTOH : to == from ? DTOD : PTOP;
}

static int place_of(const void *p)
{
    int region = sim_simulated(p) ? sim_region(p) : PINNED;

    if (region == MANAGED)
        return sim_managed_place(p);
    return region < MANAGED ? region : HOST;
}

void sim_count_copy(const void *to, const void *from, size_t bytes)
{
    struct sim_traffic *t = &sim_traffic[sim_acting_phase];
    struct sim_flow *f =
        from == NULL ? &t->sets : &t->copies[sim_direction(place_of(from), place_of(to))];

    f->count++;
    f->bytes += bytes;
}

void sim_traffic_forget(int first_phase)
{
    for (int i = first_phase; i < MAX_PHASES; i++)
        sim_traffic[i] = (struct sim_traffic){0};
    sim_overlap_forget(first_phase);
}
