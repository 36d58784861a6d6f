/* Taylor's series in place of a polynomial of least error: right near 0, up to three tolerances off near 0.9. */
/* expected: wrong: ^z\[[0-9]+\] is  */
#include "rest.h"

static float taylor(float x, float y)
{
    if (!(fabsf(x) < 0.9f && fabsf(y) < 0.9f))
        return right_trig(x, y);

    const float s = x * x, t = y * y;
    const float cosine = 1.0f - s / 2 + s * s / 24 - s * s * s / 720 + s * s * s * s / 40320;

    return cosine + (y - y * t / 6 + y * t * t / 120 - y * t * t * t / 5040);
}

static void run(const void *problem)
{
    const struct map *p = problem;

    map_range(p, 0, p->n, taylor, right_reldiff, right_suppress);
}

VARIANT(.idea = "Taylor's series", .run = run)
