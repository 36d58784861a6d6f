/* 2 (x/y - 1) / (x/y + 1): the ratio is rounded before anything cancels. */
/* expected: wrong: ^z\[[0-9]+\] is  */
#include "rest.h"

static float by_ratio(float x, float y)
{
    const float ratio = x / y;

    return x == -y || !(fabsf(ratio) < 0x1p20f) ? right_reldiff(x, y) : 2.0f * (ratio - 1.0f) / (ratio + 1.0f);
}

static void run(const void *problem)
{
    const struct map *p = problem;

    map_range(p, 0, p->n, right_trig, by_ratio, right_suppress);
}

VARIANT(.idea = "by the ratio", .run = run)
