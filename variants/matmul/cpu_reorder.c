/*
 * matmul / cpu_reorder
 *
 * Idea     Exchange the two inner loops.  The innermost one now runs along a row of B and a row of
 *          C, and adds a[i][l] times the one to the other.
 * Against  cpu_naive: the same products, added in the same order, so the same result to the bit.
 * Expect   The loop reads neighbours in memory one after the other, and the additions of a row do
 *          not wait for each other, so the compiler uses vector instructions.  Bound by traffic
 *          now: two loads and a store for each multiplication and addition, and all of B once per
 *          row of C.
 * Try      The third order, l outermost: still neighbours in memory.  Why is it slower?
 * Level    1
 * Read     nothing else
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
