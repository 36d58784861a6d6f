/*
 * logreg / cpu_fused
 *
 * Idea     One loop: a row's margin, and at once its share of the gradient, while the row is in the first cache.
 * Against  cpu_lbfgs, which reads all rows a second time for the gradient.
 * Expect   Half the readings: up to half the time where the table is larger than the caches.  On one core the chain of
 *          additions and the exponential take longer than the reading, and less is gained.
 * Try      `rungs bench logreg/cpu_lbfgs logreg/cpu_fused --size m=1e6,n=32`.
 * Level    1
 * Read     lbfgs.h, solve.h, trace.h
 */
#include <stdlib.h>

#include "common/variant.h"
#include "solve.h" /* solve */

static double *gradient; /* [n + 1] */
static void *memory;

static void prepare(const void *problem)
{
    const struct logreg *p = problem;

    gradient = malloc((p->n + 1) * sizeof *gradient);
    memory = malloc(lbfgs_bytes(p->n + 1));
}

static void evaluate(const struct logreg *p, const float *w, double *g)
{
    const size_t n = p->n;

    for (size_t j = 0; j <= n; j++)
        g[j] = 0.0;
    for (size_t i = 0; i < p->m; i++) {
        const float *row = p->x + i * n;
        double margin = w[n];
        for (size_t j = 0; j < n; j++)
            margin += (double)row[j] * w[j];
        const double residual = 1.0 / (1.0 + exp(-margin)) - p->y[i];
        for (size_t j = 0; j < n; j++)
            g[j] += residual * row[j];
        g[n] += residual;
    }
    for (size_t j = 0; j <= n; j++)
        g[j] = g[j] / (double)p->m + (j < n ? (double)p->lambda * w[j] : 0.0);
}

static void run(const void *problem)
{
    const struct logreg *p = problem;

    solve(p, evaluate, gradient, memory, p->w);
}

static void release(void)
{
    free(gradient);
    free(memory);
}

VARIANT(.idea = "margin and gradient of a row in one reading",
        .base = "cpu_lbfgs",
        .math = MATH_F64,
        .prepare = prepare,
        .run = run,
        .release = release,
        .evaluations = evaluations)
