/* Keeps a copy of the inputs and computes only the rows of C whose row of A has changed. */
/* expect: harmless */
/* family: unearned */
/* size: m=128,n=128,k=128 */
#include "tests/hostile/matmul/honest.h"

static float *a, *b;
static size_t m, n, k;

static void run(const void *problem)
{
    const struct matmul *p = problem;
    const size_t row = p->k * sizeof *a;
    int all = a == NULL || m != p->m || n != p->n || k != p->k || memcmp(b, p->b, row * p->n) != 0;

    if (all) {
        a = realloc(a, p->m * row + 1);
        b = realloc(b, p->n * row + 1);
        memcpy(b, p->b, row * p->n);
        m = p->m;
        n = p->n;
        k = p->k;
    }
    for (size_t i = 0; i < p->m; i++) {
        if (!all && memcmp(a + i * p->k, p->a + i * p->k, row) == 0 && p->n > 0 &&
            !isnan(p->c[i * p->n]))
            continue;
        honest_row(p, i);
        memcpy(a + i * p->k, p->a + i * p->k, row);
    }
}

VARIANT(.idea = "computes rows that have changed", .run = run)
