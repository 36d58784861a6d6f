/*
 * axxat / cpu_naive
 *
 * Idea     The specification as three loops: each element of Y is two sums, a row of A times a column of X, and a row of
 *          X times a row of A.  One thread.
 * Against  Nothing; this is the first variant.
 * Expect   Bound by latency, far below every peak of the machine.  Each addition waits for the one before it, and each
 *          step down a column of X touches a new cache line.  The second sum alone reads both of its rows in order.
 * Try      Only the second sum: how much of the time did the columns take?
 * Level    1
 * Read     nothing else
 */
#include "common/axxat.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct axxat *p = problem;
    const size_t n = p->n;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            float sum = 0;

            for (size_t l = 0; l < n; l++)
                sum += p->a[i * n + l] * p->x[l * n + j] + p->x[i * n + l] * p->a[j * n + l];
            p->y[i * n + j] = sum;
        }
}

VARIANT(.idea = "the specification as three loops, two sums at once", .run = run)
