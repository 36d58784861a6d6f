/*
 * matmul / cpu_naive
 *
 * Idea     The specification as three loops: each element of C is the sum of a row of A times a
 *          column of B.  One thread.
 * Against  Nothing; this is the first variant.
 * Expect   Bound by latency, far below every peak of the machine.  Each addition waits for the one
 *          before it, and each step down a column of B touches a new cache line.
 * Try      n = 1000 and n = 1024.  At 1024 the rows of B lie a power of two apart and compete for
 *          the same few sets of the cache.
 * Level    1
 * Read     nothing else
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
