/* Takes subnormal numbers for 0, as -ftz=true makes a GPU do: 0 of 0 is left of two of them. */
/* expected: nan: ^z\[[0-9]+\] is -?nan, expected */
#include "rest.h"

static float flushed(float x)
{
    return fabsf(x) < 0x1p-126f ? 0.0f : x;
}

static float without_subnormals(float x, float y)
{
    return right_reldiff(flushed(x), flushed(y));
}

static void run(const void *problem)
{
    const struct map *p = problem;

    map_range(p, 0, p->n, right_trig, without_subnormals, right_suppress);
}

VARIANT(.idea = "flushes subnormal numbers", .run = run)
