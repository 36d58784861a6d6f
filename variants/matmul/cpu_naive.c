/*
 * matmul / cpu_naive
 *
 * Idea     The specification as three loops: each element of C is the sum of a row of A times a
 *          column of B.  One thread.
 * Against  Nothing; this is the first variant.
 * Expect   Bound by latency, far from any limit of the machine: every addition waits for the one
 *          before it, and walking down a column of B touches a new cache line at every step.
 * Try      n = 1000 against n = 1024: the rows of B then lie a power of two apart and compete for
 *          the same few sets of the cache.
 */
#include "common/matmul.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct matmul *p = problem;
    const size_t n = p->n, k = p->k;

    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < n; j++) {
            float sum = 0;

            for (size_t l = 0; l < k; l++)
                sum += p->a[i * k + l] * p->b[l * n + j];
            p->c[i * n + j] = sum;
        }
}

VARIANT(.idea = "the specification as three loops", .run = run)
