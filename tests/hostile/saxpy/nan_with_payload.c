/* Leaves a quiet NaN with a payload of its own in one place. */
/* expect: nan */
/* family: mistake */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    const unsigned word = 0x7fc0beef;

    honest(p);
    if (p->n > 50000)
        memcpy(p->z + 49999, &word, sizeof word);
}

VARIANT(.idea = "one NaN, not the poison", .run = run)
