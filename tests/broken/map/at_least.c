/* Keeps what equals the threshold. */
/* expected: wrong: ^z16\[[0-9]+\] is -?[0-9]+, expected 0  */
#include "rest.h"

static int16_t at_least(int16_t x, int threshold)
{
    return abs((int)x) >= threshold ? x : 0;
}

static void run(const void *problem)
{
    const struct map *p = problem;

    map_range(p, 0, p->n, right_trig, right_reldiff, at_least);
}

VARIANT(.idea = ">= in place of >", .run = run)
