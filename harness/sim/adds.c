/* Which threads make atomic additions, and other atomic changes, in global memory, if that is asked for: RUNGS_SIM_ADDS names a file. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/sim/sim.h"

enum { MOST_ADDERS = 64 };

/* What one line does at one place. */
static struct adder {
    const void *p, *at;
    unsigned first, last; /* the least and the greatest number of a thread in its block */
    size_t times;
} adders[MOST_ADDERS];
static size_t count;

void sim_adds_add(const void *p, const void *at)
{
    const unsigned thread = sim_lane->number;
    size_t i = 0;

    while (i < count && (adders[i].p != p || adders[i].at != at))
        i++;
    if (i == MOST_ADDERS)
        return;
    if (i == count)
        adders[count++] = (struct adder){.p = p, .at = at, .first = thread, .last = thread};
    struct adder *a = &adders[i];
    a->first = thread < a->first ? thread : a->first;
    a->last = thread > a->last ? thread : a->last;
    a->times++;
}

void sim_adds_end(void)
{
    FILE *out = fopen(getenv("RUNGS_SIM_ADDS"), "w");

    for (size_t i = 0; out != NULL && i < count; i++) {
        const struct sim_array *a = sim_array_of(adders[i].p);
        if (a == NULL)
            continue;
        fprintf(out, "%u %u %zu %zu %zu ", adders[i].first, adders[i].last, adders[i].times, (size_t)((const char *)adders[i].p - a->start), a->bytes);
        fprintf(out, "%s ", sim_line(a->made));
        fprintf(out, "%s\n", sim_line(adders[i].at));
    }
    if (out != NULL)
        fclose(out);
}
