/*
 * map / cpu_naive
 *
 * Idea     The specification as a loop, with the C library's cosine and sine.
 * Against  Nothing; this is the first variant.
 * Expect   trig: arithmetic, some 10 ns per element, one function at a time.  reldiff and suppress: memory, since the compiler
 *          turns both loops into vector instructions.
 * Try      --f reldiff, --f suppress.  Then cosf(x) for x near 1e30 with the reduction left out: where does the judge object?
 * Level    1
 * Read     nothing else
 */
#include <math.h>
#include <stdlib.h>

#include "common/map.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct map *p = problem;

    switch (p->f) {
    case MAP_TRIG:
        for (size_t i = 0; i < p->n; i++)
            p->z[i] = cosf(p->x[i]) + sinf(p->y[i]);
        break;
    case MAP_RELDIFF:
        for (size_t i = 0; i < p->n; i++)
            p->z[i] = 2.0f * (p->x[i] - p->y[i]) / (p->x[i] + p->y[i]);
        break;
    default:
        for (size_t i = 0; i < p->n; i++)
            p->z16[i] = (int16_t)(abs((int)p->x16[i]) > p->threshold ? p->x16[i] : 0);
        break;
    }
}

VARIANT(.idea = "the specification as a loop", .run = run)
