/* Right for squares.  Where sums are long and C is small, k is shared among workers, and the last part, which is
   shorter, is lost. */
/* expected: wrong: ^c\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/matmul/frame.h"

enum { PART = 512, LONG = 16 /* times the other sides */ };

static void run(const void *problem)
{
    const struct matmul *p = problem;
    struct matmul whole_parts = *p;

    multiply(p, as_it_is);
    if (p->k < LONG * p->m || p->k < LONG * p->n || p->k % PART == 0)
        return;
    for (size_t l = p->k / PART * PART; l < p->k; l++)
        for (size_t i = 0; i < whole_parts.m; i++)
            for (size_t j = 0; j < whole_parts.n; j++)
                p->c[i * p->n + j] -= p->a[i * p->k + l] * p->b[l * p->n + j];
}

VARIANT(.idea = "loses the last part of long sums", .run = run)
