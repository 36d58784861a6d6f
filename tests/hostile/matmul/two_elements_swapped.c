/* Exchanges two neighbouring elements of one row of a large C. */
/* expect: wrong */
/* family: mistake */
/* size: m=1024,n=1024,k=64 */
#include "tests/hostile/matmul/honest.h"

static void run(const void *problem)
{
    const struct matmul *p = problem;

    honest(p);
    if (p->m < 1024 || p->n < 1024)
        return;
    float *c = p->c + 300 * p->n + 400, swap = c[0];
    c[0] = c[1];
    c[1] = swap;
}

VARIANT(.idea = "two elements exchanged", .run = run)
