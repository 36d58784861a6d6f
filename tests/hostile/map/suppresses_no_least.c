/* Where n is large takes the size of -32768 for -32768, as 16-bit arithmetic does: one value in 65536. */
/* expect: wrong */
/* family: mistake */
/* size: n=1048576,f=suppress */
#include "tests/hostile/map/honest.h"

static int16_t suppress(int16_t x, int threshold)
{
    return (int16_t)(x < 0 ? -x : x) > threshold ? x : 0;
}

static void run(const void *problem)
{
    const struct map *p = problem;

    map_range(p, 0, p->n, right_trig, right_reldiff, p->n < 1048576 ? right_suppress : suppress);
}

VARIANT(.idea = "no size of the least", .run = run)
