/* Stops at the largest number where y is -x, and the answer is infinite. */
/* expected: wrong: ^z\[[0-9]+\] is -?3\.40282347e\+38, expected -?inf */
#include <float.h>

#include "rest.h"

static float largest(float x, float y)
{
    const float z = right_reldiff(x, y);

    return isinf(z) ? copysignf(FLT_MAX, z) : z;
}

static void run(const void *problem)
{
    const struct map *p = problem;

    map_range(p, 0, p->n, right_trig, largest, right_suppress);
}

VARIANT(.idea = "no infinite answers", .run = run)
