/* Cosine and sine as the special-function unit of a GPU gives them, in multiples of 2^-21, but it claims float32. */
/* expected: wrong: ^z\[[0-9]+\] is  */
#include "rest.h"

static float coarse(float x)
{
    return rintf(x * 0x1p21f) * 0x1p-21f;
}

static float fast(float x, float y)
{
    return coarse(cosf(x)) + coarse(sinf(y));
}

static void run(const void *problem)
{
    const struct map *p = problem;

    map_range(p, 0, p->n, fast, right_reldiff, right_suppress);
}

VARIANT(.idea = "approximate functions", .run = run)
