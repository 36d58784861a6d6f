/* Compares without a sign, so all negative numbers are large. */
/* expected: wrong: ^z16\[[0-9]+\] is -[0-9]+, expected 0  */
#include "rest.h"

static int16_t unsigned_(int16_t x, int threshold)
{
    return (uint16_t)x > (uint16_t)threshold ? x : 0;
}

static void run(const void *problem)
{
    const struct map *p = problem;

    map_range(p, 0, p->n, right_trig, right_reldiff, unsigned_);
}

VARIANT(.idea = "a comparison without a sign", .run = run)
