/* Takes the arguments for degrees. */
/* expected: wrong: ^z\[[0-9]+\] is  */
#include "rest.h"

static float in_degrees(float x, float y)
{
    return right_trig(x * 0.0174532925f, y * 0.0174532925f);
}

static void run(const void *problem)
{
    const struct map *p = problem;

    map_range(p, 0, p->n, in_degrees, right_reldiff, right_suppress);
}

VARIANT(.idea = "degrees", .run = run)
