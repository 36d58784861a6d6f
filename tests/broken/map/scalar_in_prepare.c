/* Keeps the threshold from prepare, when it is not known yet. */
/* expected: wrong: ^z16\[[0-9]+\] is -?[0-9]+, expected 0  */
#include "rest.h"

static int threshold;

static void prepare(const void *problem)
{
    const struct map *p = problem;

    threshold = p->threshold;
}

static void run(const void *problem)
{
    const struct map *p = problem;

    for (size_t i = 0; i < p->n && p->f == MAP_SUPPRESS; i++)
        p->z16[i] = right_suppress(p->x16[i], threshold);
    if (p->f != MAP_SUPPRESS)
        map_right(p, 0, p->n);
}

VARIANT(.idea = "takes the threshold in prepare", .prepare = prepare, .run = run)
