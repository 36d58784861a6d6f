/* Is right where the output held poison and wrong elsewhere: adds to what is there, unless that is a NaN. */
/* expect: wrong */
/* family: mistake */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i] + (isnan(p->z[i]) ? 0.0f : p->z[i]);
}

VARIANT(.idea = "adds to what is no NaN", .run = run)
