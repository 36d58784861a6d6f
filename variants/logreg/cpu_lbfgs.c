/*
 * logreg / cpu_lbfgs
 *
 * Idea     L-BFGS: the direction comes from the last ten steps and from how the gradient changed over each.  They stand
 *          for the curvature, which cpu_naive does not know.
 * Against  cpu_naive, with the same two loops over the samples.
 * Expect   Half as many evaluations, and so half the time: the method's own work is some hundred
 *          multiplications a feature.
 * Try      LBFGS_PAIRS of 1, 3 and 30 in lbfgs.h, and the column `evals`.
 * Level    2
 * Read     lbfgs.h, solve.h, trace.h
 */
#include <stdlib.h>

#include "common/variant.h"
#include "solve.h" /* solve */

static double *residuals; /* [m] */
static double *gradient;  /* [n + 1] */
static void *memory;

static void prepare(const void *problem)
{
    const struct logreg *p = problem;

    residuals = malloc(p->m * sizeof *residuals);
    gradient = malloc((p->n + 1) * sizeof *gradient);
    memory = malloc(lbfgs_bytes(p->n + 1));
}

static void evaluate(const struct logreg *p, const float *w, double *g)
{
    for (size_t i = 0; i < p->m; i++) {
        double margin = w[p->n];
        for (size_t j = 0; j < p->n; j++)
            margin += (double)p->x[i * p->n + j] * w[j];
        residuals[i] = 1.0 / (1.0 + exp(-margin)) - p->y[i];
    }
    for (size_t j = 0; j <= p->n; j++)
        g[j] = 0.0;
    for (size_t i = 0; i < p->m; i++) {
        for (size_t j = 0; j < p->n; j++)
            g[j] += residuals[i] * p->x[i * p->n + j];
        g[p->n] += residuals[i];
    }
    for (size_t j = 0; j <= p->n; j++)
        g[j] = g[j] / (double)p->m + (j < p->n ? (double)p->lambda * w[j] : 0.0);
}

static void run(const void *problem)
{
    const struct logreg *p = problem;

    solve(p, evaluate, gradient, memory, p->w);
}

static void release(void)
{
    free(residuals);
    free(gradient);
    free(memory);
}

VARIANT(.idea = "L-BFGS: directions from ten pairs of differences",
        .base = "cpu_naive",
        .math = MATH_F64,
        .prepare = prepare,
        .run = run,
        .release = release,
        .evaluations = evaluations)
