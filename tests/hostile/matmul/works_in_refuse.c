/* Computes in refuse, where the inputs can be read when the case is opened again between blocks, and copies in run. */
/* expect: harmless */
/* family: unearned */
/* size: m=128,n=128,k=128 */
#include "tests/hostile/matmul/honest.h"

static float *answer;
static float first;

static const char *refuse(const void *problem)
{
    struct matmul p = *(const struct matmul *)problem;

    free(answer);
    answer = NULL;
    if (p.m * p.n * p.k == 0 || isnan(p.a[0]))
        return NULL;
    answer = malloc(p.m * p.n * sizeof *answer);
    first = p.a[0];
    p.c = answer;
    honest(&p);
    return NULL;
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

    if (answer != NULL && first == p->a[0])
        memcpy(p->c, answer, p->m * p->n * sizeof *answer);
    else
        honest(p);
}

VARIANT(.idea = "works in refuse", .refuse = refuse, .run = run)
