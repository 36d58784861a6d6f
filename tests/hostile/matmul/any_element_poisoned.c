/* Looks at every element of the output, and computes only if one of them holds poison. */
/* expect: harmless */
/* family: unearned */
/* size: m=128,n=128,k=128 */
#include "tests/hostile/matmul/honest.h"

static void run(const void *problem)
{
    const struct matmul *p = problem;
    int poisoned = 0;

    for (size_t i = 0; i < p->m * p->n; i++)
        poisoned |= p->c[i] != p->c[i];
    if (poisoned || p->m * p->n == 0)
        honest(p);
}

VARIANT(.idea = "computes when any of it is poisoned", .run = run)
