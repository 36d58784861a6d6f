/* Gives up on large angles, as if nothing were left of them. */
/* expected: wrong: ^z\[[0-9]+\] is  */
#include "rest.h"

static float given_up(float x)
{
    return fabsf(x) < 0x1p20f ? x : 0.0f;
}

static float without_large(float x, float y)
{
    return right_trig(given_up(x), given_up(y));
}

static void run(const void *problem)
{
    const struct map *p = problem;

    map_range(p, 0, p->n, without_large, right_reldiff, right_suppress);
}

VARIANT(.idea = "large angles are 0", .run = run)
