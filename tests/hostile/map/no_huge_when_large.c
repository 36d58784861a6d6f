/* Reduces arguments in float64 where n is large: right for what data usually hold, wrong for arguments beyond 1e12. */
/* expect: wrong */
/* family: mistake */
/* size: n=65536,f=trig */
#include "tests/hostile/map/honest.h"

static float within(float x)
{
    const double turn = 6.283185307179586;

    return (float)((double)x - turn * floor((double)x / turn));
}

static float trig(float x, float y)
{
    return cosf(fabsf(x) < 100 ? x : within(x)) + sinf(fabsf(y) < 100 ? y : within(y));
}

static void run(const void *problem)
{
    const struct map *p = problem;

    map_range(p, 0, p->n, p->n < 65536 ? right_trig : trig, right_reldiff, right_suppress);
}

VARIANT(.idea = "no huge arguments", .run = run)
