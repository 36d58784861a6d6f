/* Adds to what is in the output. */
/* expected: nan: ^z\[0\] is -?nan, expected */
#include "rest.h"

static void run(const void *problem)
{
    const struct map *p = problem;

    for (size_t i = 0; i < p->n; i++)
        if (p->f == MAP_SUPPRESS)
            p->z16[i] = (int16_t)(p->z16[i] + right_suppress(p->x16[i], p->threshold));
        else
            p->z[i] += p->f == MAP_TRIG ? right_trig(p->x[i], p->y[i]) : right_reldiff(p->x[i], p->y[i]);
}

VARIANT(.idea = "adds to the output", .run = run)
