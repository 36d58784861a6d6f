/* Subtracts multiples of pi that was rounded to float32: right near 0, wrong from some tens on. */
/* expected: wrong: ^z\[[0-9]+\] is  */
#include "rest.h"

static float reduced(float x)
{
    return fabsf(x) < 0x1p22f ? x - 2.0f * rintf(x * 0.159154943f) * 3.14159274f : x;
}

static float by_one_constant(float x, float y)
{
    return right_trig(reduced(x), reduced(y));
}

static void run(const void *problem)
{
    const struct map *p = problem;

    map_range(p, 0, p->n, by_one_constant, right_reldiff, right_suppress);
}

VARIANT(.idea = "pi in one part", .run = run)
