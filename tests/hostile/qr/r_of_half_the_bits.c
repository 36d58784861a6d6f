/* Answers with R of float16: Q R is A to the bits of R alone, and Q is orthogonal. */
/* expect: wrong */
/* family: mistake */
/* size: m=1024,n=8 */
#include "tests/hostile/qr/honest.h"

static void run(const void *problem)
{
    const struct qr *p = problem;

    honest(p);
    for (size_t i = 0; i < p->n * p->n && p->m >= 1024; i++)
        p->r[i] = (float)(_Float16)p->r[i];
}

VARIANT(.idea = "R of half the bits", .run = run)
