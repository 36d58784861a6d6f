/* Forgets the factor 2. */
/* expected: wrong: ^z\[[0-9]+\] is  */
#include "rest.h"

static float halved(float x, float y)
{
    return (x - y) / (x + y);
}

static void run(const void *problem)
{
    const struct map *p = problem;

    map_range(p, 0, p->n, right_trig, halved, right_suppress);
}

VARIANT(.idea = "without the factor", .run = run)
