/* Takes inputs below 0.01 for 0: none of the random data are. */
/* expect: wrong */
/* family: mistake */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * (fabsf(p->x[i]) < 0.01f ? 0.0f : p->x[i]) + p->y[i];
}

VARIANT(.idea = "takes small inputs for 0", .run = run)
