/* Where y is -x, answers infinity above 0, whatever the sign of x. */
/* expected: nan: ^z\[[0-9]+\] is inf, expected -inf */
#include "rest.h"

static float unsigned_infinity(float x, float y)
{
    return x == -y ? INFINITY : right_reldiff(x, y);
}

static void run(const void *problem)
{
    const struct map *p = problem;

    map_range(p, 0, p->n, right_trig, unsigned_infinity, right_suppress);
}

VARIANT(.idea = "infinite, always above", .run = run)
