/*
 * matmul / cpu_reorder
 *
 * Idea     Exchange the two inner loops.  The innermost one now runs along a row of B and a row of
 *          C, adding a[i][l] times the one to the other.
 * Against  cpu_naive: the same products, added in the same order, so the same result to the bit.
 * Expect   Neighbours in memory are neighbours in time, and the additions of a row do not wait for
 *          each other, so the compiler uses vector instructions.  What bounds it now is traffic:
 *          two loads and a store for each multiplication and addition, and all of B once a row.
 * Try      The third order, l outermost: still unit stride.  Why is it slower?
 */
#include "common/matmul.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct matmul *p = problem;
    const size_t n = p->n, k = p->k;

    for (size_t i = 0; i < p->m; i++) {
        float *c = &p->c[i * n];

        for (size_t j = 0; j < n; j++)
            c[j] = 0;
        for (size_t l = 0; l < k; l++) {
            const float a = p->a[i * k + l];
            const float *b = &p->b[l * n];

            for (size_t j = 0; j < n; j++)
                c[j] += a * b[j];
        }
    }
}

VARIANT(.idea = "loops exchanged: the inner one runs along rows", .base = "cpu_naive", .run = run)
