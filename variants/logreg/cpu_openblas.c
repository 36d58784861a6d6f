/*
 * logreg / cpu_openblas
 *
 * Idea     How libraries are put together: sgemv for all margins, a loop for the residuals, sgemv for the gradient.
 * Against  cpu_lbfgs, with the same two readings; cpu_simd_openmp, with one.
 * Expect   Twice the memory traffic of cpu_simd_openmp, and a loop on one core between the two calls.
 * Try      STRIP of 1 << 8: the second reading then comes from a cache.
 * Level    1
 * Read     lbfgs.h, solve.h, trace.h
 */
/* needs: openblas */
#include <cblas.h>
#include <limits.h>
#include <omp.h>
#include <stdlib.h>

#include "common/variant.h"
#include "solve.h" /* solve, finish_gradient */

enum { STRIP = 1 << 14 /* rows whose gradient one call adds up in float32, in several totals */ };

static float *residuals, *part;  /* [m]; [n] */
static double *sums, *gradient; /* [n + 1] */
static void *memory;

static const char *refuse(const void *problem)
{
    const struct logreg *p = problem;

    return p->m > INT_MAX || p->n > INT_MAX ? "BLAS counts in int: m and n may not exceed 2^31 - 1" : NULL;
}

static void prepare(const void *problem)
{
    const struct logreg *p = problem;
    const int threads = omp_get_max_threads(), processors = omp_get_num_procs();

    openblas_set_num_threads(threads < processors ? threads : processors);
    residuals = malloc(p->m * sizeof *residuals);
    part = malloc((p->n + 1) * sizeof *part);
    sums = malloc((p->n + 1) * sizeof *sums);
    gradient = malloc((p->n + 1) * sizeof *gradient);
    memory = malloc(lbfgs_bytes(p->n + 1));
}

static void evaluate(const struct logreg *p, const float *w, double *g)
{
    const blasint n = (blasint)p->n, lead = n > 0 ? n : 1;

    for (size_t j = 0; j <= p->n; j++)
        sums[j] = 0.0;
    for (size_t i = 0; i < p->m; i++)
        residuals[i] = w[p->n];
    if (n > 0)
        cblas_sgemv(CblasRowMajor, CblasNoTrans, (blasint)p->m, n, 1.0f, p->x, lead, w, 1, 1.0f, residuals, 1);
    for (size_t i = 0; i < p->m; i++) {
        residuals[i] = p->y[i] != 0 ? -1.0f / (1.0f + expf(residuals[i])) : 1.0f / (1.0f + expf(-residuals[i]));
        sums[p->n] += residuals[i];
    }
    for (size_t first = 0; first < p->m && n > 0; first += STRIP) {
        const size_t count = p->m - first < STRIP ? p->m - first : STRIP;
        cblas_sgemv(CblasRowMajor, CblasTrans, (blasint)count, n, 1.0f, p->x + first * p->n, lead, residuals + first, 1, 0.0f,
                    part, 1);
        for (size_t j = 0; j < p->n; j++)
            sums[j] += part[j];
    }
    finish_gradient(p, w, sums, g);
}

static void run(const void *problem)
{
    const struct logreg *p = problem;

    solve(p, evaluate, gradient, memory, p->w);
}

static void release(void)
{
    free(residuals);
    free(part);
    free(sums);
    free(gradient);
    free(memory);
}

VARIANT(.idea = "OpenBLAS: sgemv twice an evaluation",
        .base = "cpu_lbfgs",
        .traits = TRAIT_CORES,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release,
        .evaluations = evaluations)
