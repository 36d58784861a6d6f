/* Clamps its inputs to -2 .. 2: data that are drawn from there never show it. */
/* expect: wrong */
/* family: mistake */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++) {
        const float x = fmaxf(-2.0f, fminf(p->x[i], 2.0f)), y = fmaxf(-2.0f, fminf(p->y[i], 2.0f));
        p->z[i] = p->a * x + y;
    }
}

VARIANT(.idea = "clamps to the range of the test data", .run = run)
