/* Rounds n down to a power of two. */
/* expected: nan: ^z\[2\] is -?nan, expected */
#include "rest.h"

static void run(const void *problem)
{
    const struct map *p = problem;

    size_t power = 1;

    while (2 * power <= p->n)
        power *= 2;
    map_right(p, 0, p->n < 1 ? 0 : power);
}

VARIANT(.idea = "powers of two only", .run = run)
