/* The size of -32768 stops at 32767: right but for the largest threshold. */
/* expected: wrong: ^z16\[[0-9]+\] is 0, expected -32768  */
#include "rest.h"

static int16_t saturated(int16_t x, int threshold)
{
    const int size = abs((int)x);

    return (size > INT16_MAX ? INT16_MAX : size) > threshold ? x : 0;
}

static void run(const void *problem)
{
    const struct map *p = problem;

    map_range(p, 0, p->n, right_trig, right_reldiff, saturated);
}

VARIANT(.idea = "abs that saturates", .run = run)
