/*
 * logreg / cpu_naive
 *
 * Idea     The specification: gradients, and a method that needs nothing else.  Each step goes against the gradient, by a
 *          length that fits the steepest curvature seen, plus some of the step before.  That momentum is forgotten
 *          whenever it points uphill (Y. Nesterov 1983; B. O'Donoghue, E. Candes, "Adaptive Restart for Accelerated
 *          Gradient Schemes", Found. Comput. Math. 15, 2015).
 * Against  nothing; this is what the other variants are compared with.
 * Expect   Some fifty evaluations at the sizes of the benchmark, each with two loops over the samples.  In the first loop
 *          each addition to a margin waits for the one before it.
 * Try      Without momentum (`mix` = 0): how many evaluations are there then?
 * Level    1
 * Read     trace.h
 */
#include <math.h>
#include <stdlib.h>

#include "common/logreg.h"
#include "common/variant.h"
#include "trace.h" /* trace_add, evaluations */

enum { MOST = 200000 }; /* evaluations: tau may be below what can be reached */

static double *residuals;                   /* [m] */
static double *g, *g_before, *at, *w_before; /* [n + 1] */
static float *point, *point_before;         /* [n + 1] where the gradients are taken */

static void prepare(const void *problem)
{
    const struct logreg *p = problem;
    const size_t n = p->n + 1;

    residuals = malloc(p->m * sizeof *residuals);
    g = malloc(4 * n * sizeof *g);
    g_before = g + n;
    at = g + 2 * n;
    w_before = g + 3 * n;
    point = malloc(2 * n * sizeof *point);
    point_before = point + n;
}

/* Computes the gradient at the point.  Returns its largest component. */
static double evaluate(const struct logreg *p)
{
    const size_t n = p->n;
    double largest = 0.0;

    for (size_t i = 0; i < p->m; i++) {
        double margin = point[n];
        for (size_t j = 0; j < n; j++)
            margin += (double)p->x[i * n + j] * point[j];
        residuals[i] = 1.0 / (1.0 + exp(-margin)) - p->y[i];
    }
    for (size_t j = 0; j <= n; j++)
        g[j] = 0.0;
    for (size_t i = 0; i < p->m; i++) {
        for (size_t j = 0; j < n; j++)
            g[j] += residuals[i] * p->x[i * n + j];
        g[n] += residuals[i];
    }
    for (size_t j = 0; j <= n; j++) {
        g[j] = g[j] / (double)p->m + (j < n ? (double)p->lambda * point[j] : 0.0);
        largest = fabs(g[j]) > largest ? fabs(g[j]) : largest; /* GCC 12 fails to compile fmax here for ARM */
    }
    return largest;
}

/* Returns the curvature between the last two points: how much the gradient has changed, over how much the point has. */
static double curvature(size_t n)
{
    double changes = 0.0, steps = 0.0;

    for (size_t j = 0; j < n; j++) {
        const double change = g[j] - g_before[j], step = (double)point[j] - point_before[j];
        changes += change * change;
        steps += step * step;
    }
    return steps > 0.0 ? sqrt(changes / steps) : 0.0;
}

static void run(const void *problem)
{
    const struct logreg *p = problem;
    const size_t n = p->n + 1;
    double steepest = 0.0, momentum = 1.0;

    traced = 0;
    for (size_t j = 0; j < n; j++)
        point[j] = point_before[j] = 0.0f, g_before[j] = w_before[j] = 0.0;
    for (int k = 0; k < MOST; k++) {
        const double largest = evaluate(p);
        double size = 0.0, uphill = 0.0;
        trace_add(1.0, largest);
        if (largest <= p->tau)
            break;
        for (size_t j = 0; j < n; j++)
            size += g[j] * g[j];
        steepest = k == 0 ? sqrt(size) : fmax(steepest, curvature(n));
        for (size_t j = 0; j < n; j++) {
            at[j] = point[j] - g[j] / steepest;
            uphill += g[j] * (at[j] - w_before[j]);
        }
        momentum = uphill > 0.0 ? 1.0 : momentum;
        const double next = 0.5 * (1.0 + sqrt(1.0 + 4.0 * momentum * momentum));
        const double mix = (momentum - 1.0) / next;
        momentum = next;
        for (size_t j = 0; j < n; j++) {
            point_before[j] = point[j];
            g_before[j] = g[j];
            point[j] = (float)(at[j] + mix * (at[j] - w_before[j]));
            w_before[j] = at[j];
        }
    }
    for (size_t j = 0; j < n; j++)
        p->w[j] = point[j];
}

static void release(void)
{
    free(residuals);
    free(g);
    free(point);
}

VARIANT(.idea = "accelerated gradients, two loops over the samples",
        .math = MATH_F64,
        .prepare = prepare,
        .run = run,
        .release = release,
        .evaluations = evaluations)
