/* 2 - 4y/(x + y) is the same in whole numbers, but cancels where x and y are close. */
/* expected: wrong: ^z\[[0-9]+\] is  */
#include "rest.h"

static float by_quotient(float x, float y)
{
    return x == -y ? right_reldiff(x, y) : 2.0f - 4.0f * y / (x + y);
}

static void run(const void *problem)
{
    const struct map *p = problem;

    map_range(p, 0, p->n, right_trig, by_quotient, right_suppress);
}

VARIANT(.idea = "one subtraction less", .run = run)
