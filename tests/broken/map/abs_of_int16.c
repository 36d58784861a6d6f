/* Takes the size of -32768 as int16, which has no 32768. */
/* expected: wrong: ^z16\[[0-9]+\] is 0, expected -32768  */
#include "rest.h"

static int16_t narrow(int16_t x, int threshold)
{
    const int16_t size = (int16_t)abs((int)x);

    return size > threshold ? x : 0;
}

static void run(const void *problem)
{
    const struct map *p = problem;

    map_range(p, 0, p->n, right_trig, right_reldiff, narrow);
}

VARIANT(.idea = "abs of int16", .run = run)
