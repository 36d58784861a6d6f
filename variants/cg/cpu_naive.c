/*
 * cg / cpu_naive
 *
 * Idea     Conjugate gradients as the textbook has them: one product A p an iteration, two inner products, three vectors
 *          that are updated.  One thread.
 * Against  Nothing; this is the first variant.
 * Expect   A row's sum waits for each of its additions, so the loop is bound by their latency, not by memory.
 * Try      Print rr after each iteration: it does not fall monotonically.  What does?
 * Level    1
 * Read     nothing else
 */
#include <stdlib.h>
#include <string.h>

#include "common/cg.h"
#include "common/variant.h"

static float *r, *p, *q; /* the residual, the direction, A times the direction */

static void prepare(const void *problem)
{
    const size_t n = ((const struct cg *)problem)->n;

    r = malloc(n * sizeof(float));
    p = malloc(n * sizeof(float));
    q = malloc(n * sizeof(float));
}

static double inner(size_t n, const float *u, const float *v)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (double)u[i] * v[i];
    return sum;
}

static void run(const void *problem)
{
    const struct cg *s = problem;
    const size_t n = s->n, most = 2 * n + 50; /* rounding may cost iterations; without it n are enough */

    memset(s->x, 0, n * sizeof(float));
    memcpy(r, s->b, n * sizeof(float));
    memcpy(p, s->b, n * sizeof(float));

    double rr = inner(n, r, r);
    const double enough = (double)s->tol * s->tol * rr;

    for (size_t k = 0; rr > enough && k < most; k++) {
        for (size_t i = 0; i < n; i++) {
            float sum = 0;

            for (size_t j = 0; j < n; j++)
                sum += s->a[i * n + j] * p[j];
            q[i] = sum;
        }

        const double alpha = rr / inner(n, p, q), before = rr;

        for (size_t i = 0; i < n; i++) {
            s->x[i] += (float)alpha * p[i];
            r[i] -= (float)alpha * q[i];
        }
        rr = inner(n, r, r);
        for (size_t i = 0; i < n; i++)
            p[i] = r[i] + (float)(rr / before) * p[i];
    }
}

static void release(void)
{
    free(r);
    free(p);
    free(q);
}

VARIANT(.idea = "conjugate gradients as the textbook has them",
        .prepare = prepare,
        .run = run,
        .release = release)
