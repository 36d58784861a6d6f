/* Computes in fixed point with 28 bits behind the point: exact enough for numbers near 1, nonsense for 1e6 and for 1e-6. */
/* expect: wrong */
/* family: mistake */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static long long fixed(float x)
{
    return (long long)((double)x * 0x1p28);
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    const long long a = fixed(p->a);

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = (float)((double)(((a * (fixed(p->x[i]) >> 4)) >> 24) + fixed(p->y[i])) * 0x1p-28);
}

VARIANT(.idea = "fixed point", .run = run)
