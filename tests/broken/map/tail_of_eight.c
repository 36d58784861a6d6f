/* int16 in groups of eight, and nothing for the rest. */
/* expected: wrong: ^z16\[[0-9]+\] is  */
#include "rest.h"

static void run(const void *problem)
{
    const struct map *p = problem;

    map_right(p, 0, p->f == MAP_SUPPRESS ? p->n / 8 * 8 : p->n);
}

VARIANT(.idea = "groups of eight", .run = run)
