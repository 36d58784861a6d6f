/* Leaves out one product of one element, in the middle, where C is too large to be solved in full. */
/* expect: wrong */
/* family: mistake */
/* size: m=1024,n=1024,k=64 */
#include "tests/hostile/matmul/honest.h"

static void run(const void *problem)
{
    const struct matmul *p = problem;

    honest(p);
    if (p->m >= 1024 && p->n >= 1024)
        p->c[500 * p->n + 501] -= p->a[500 * p->k] * p->b[501];
}

VARIANT(.idea = "one product is missing", .run = run)
