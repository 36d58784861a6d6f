/* Is off by a hundred times the allowed error in one element, which a sum over 256 columns may hide. */
/* expect: wrong */
/* family: mistake */
/* size: m=1024,n=1024,k=64 */
#include "tests/hostile/matmul/honest.h"

static void run(const void *problem)
{
    const struct matmul *p = problem;
    float size = 0.0f;

    honest(p);
    if (p->m < 1024 || p->n < 1024)
        return;
    for (size_t l = 0; l < p->k; l++)
        size += fabsf(p->a[700 * p->k + l] * p->b[l * p->n + 333]);
    p->c[700 * p->n + 333] += 100.0f * 64.0f * 0x1p-24f * size;
}

VARIANT(.idea = "one element is off", .run = run)
