/* Computes eight elements at a time without a loop for the rest: right if n is a multiple of 8. */
/* expected: nan: ^z\[0\] is -?nan, expected */
#include "rest.h"

static void run(const void *problem)
{
    const struct map *p = problem;

    map_right(p, 0, p->n / 8 * 8);
}

VARIANT(.idea = "drops the tail", .run = run)
