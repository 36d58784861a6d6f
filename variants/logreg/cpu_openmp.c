/*
 * logreg / cpu_openmp
 *
 * Idea     A part of the rows for each thread, with a gradient of its own.  The gradients are added in the threads' order.
 * Against  cpu_fused, on one core.
 * Expect   As many times faster as there are cores: the arithmetic is the limit.  Each evaluation starts and ends the
 *          threads' work, some microseconds, which small tables feel.
 * Try      --threads 1,2,4.
 * Level    1
 * Read     lbfgs.h, solve.h, trace.h
 */
#include <omp.h>
#include <stdlib.h>

#include "common/variant.h"
#include "solve.h" /* solve */

enum { LINE = 8 }; /* float64 in a cache line: no two threads write the same one */

static double *sums;     /* [threads][stride] */
static double *gradient; /* [n + 1] */
static void *memory;
static int threads;

static size_t stride_of(size_t n)
{
    return (n + 1 + LINE - 1) / LINE * LINE;
}

static void prepare(const void *problem)
{
    const struct logreg *p = problem;

    threads = omp_get_max_threads();
    sums = aligned_alloc(64, (size_t)threads * stride_of(p->n) * sizeof *sums);
    gradient = malloc((p->n + 1) * sizeof *gradient);
    memory = malloc(lbfgs_bytes(p->n + 1));
}

static void add_rows(const struct logreg *p, const float *w, size_t begin, size_t end, double *g)
{
    const size_t n = p->n;

    for (size_t j = 0; j <= n; j++)
        g[j] = 0.0;
    for (size_t i = begin; i < end; i++) {
        const float *row = p->x + i * n;
        double margin = w[n];
        for (size_t j = 0; j < n; j++)
            margin += (double)row[j] * w[j];
        const double residual = 1.0 / (1.0 + exp(-margin)) - p->y[i];
        for (size_t j = 0; j < n; j++)
            g[j] += residual * row[j];
        g[n] += residual;
    }
}

static void evaluate(const struct logreg *p, const float *w, double *g)
{
    const size_t n = p->n, stride = stride_of(n), parts = (size_t)threads;

#pragma omp parallel for schedule(static, 1)
    for (size_t part = 0; part < parts; part++)
        add_rows(p, w, p->m * part / parts, p->m * (part + 1) / parts, sums + part * stride);
    for (size_t j = 0; j <= n; j++) {
        g[j] = 0.0;
        for (size_t part = 0; part < parts; part++)
            g[j] += sums[part * stride + j];
        g[j] = g[j] / (double)p->m + (j < n ? (double)p->lambda * w[j] : 0.0);
    }
}

static void run(const void *problem)
{
    const struct logreg *p = problem;

    solve(p, evaluate, gradient, memory, p->w);
}

static void release(void)
{
    free(sums);
    free(gradient);
    free(memory);
}

VARIANT(.idea = "a part of the rows for each thread",
        .base = "cpu_fused",
        .math = MATH_F64,
        .prepare = prepare,
        .run = run,
        .release = release,
        .evaluations = evaluations)
