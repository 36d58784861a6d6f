/* Computes in release, where the inputs are still there, for the runs after the next prepare. */
/* expect: harmless */
/* family: unearned */
/* size: m=128,n=128,k=128 */
#include "tests/hostile/matmul/honest.h"

static const struct matmul *last;
static float *answer, first;
static size_t m, n;

static void run(const void *problem)
{
    const struct matmul *p = last = problem;

    if (answer != NULL && m == p->m && n == p->n && p->m * p->k > 0 && first == p->a[0])
        memcpy(p->c, answer, p->m * p->n * sizeof *answer);
    else
        honest(p);
}

static void release(void)
{
    struct matmul p = *last;

    if (p.m * p.k == 0)
        return;
    answer = realloc(answer, p.m * p.n * sizeof *answer + 1);
    m = p.m;
    n = p.n;
    first = p.a[0];
    p.c = answer;
    honest(&p);
}

VARIANT(.idea = "works in release", .run = run, .release = release)
