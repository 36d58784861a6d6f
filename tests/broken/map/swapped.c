/* Takes the cosine of y and the sine of x. */
/* expected: wrong: ^z\[[0-9]+\] is  */
#include "rest.h"

static float of_the_other(float x, float y)
{
    return right_trig(y, x);
}

static void run(const void *problem)
{
    const struct map *p = problem;

    map_range(p, 0, p->n, of_the_other, right_reldiff, right_suppress);
}

VARIANT(.idea = "sine and cosine swapped", .run = run)
