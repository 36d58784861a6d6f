/*
 * logreg / cpu_simd
 *
 * Idea     Vector instructions: eight features at a time for the sums, and eight rows at a time for the exponential, which
 *          is a polynomial.
 * Against  cpu_fused, whose margins are one chain of additions in float64.
 * Expect   Six to eight times faster: one core then reads from its caches at some 20 GB/s.
 * Try      RUN of 8 and of 4096 in avx2.h: the column `error`, and the time.
 * Level    2
 * Read     avx2.h, lbfgs.h, rows.h, solve.h, trace.h
 */
#include <stdlib.h>

#include "avx2.h" /* add_rows */
#include "common/variant.h"
#include "rows.h"  /* add_all_rows */
#include "solve.h" /* solve, finish_gradient */

static float *weights, *scratch;  /* [padded n] */
static double *sums, *gradient; /* [n + 1] */
static void *memory;

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? NULL : "needs AVX2 and FMA";
}

static void prepare(const void *problem)
{
    const struct logreg *p = problem;
    const size_t bytes = (padded(p->n) + LANES) * sizeof(float);

    weights = aligned_alloc(64, (bytes + 63) / 64 * 64);
    scratch = aligned_alloc(64, (bytes + 63) / 64 * 64);
    sums = malloc((p->n + 1) * sizeof *sums);
    gradient = malloc((p->n + 1) * sizeof *gradient);
    memory = malloc(lbfgs_bytes(p->n + 1));
}

static void evaluate(const struct logreg *p, const float *w, double *g)
{
    memset(weights, 0, padded(p->n) * sizeof *weights);
    memcpy(weights, w, p->n * sizeof *w);
    memset(sums, 0, (p->n + 1) * sizeof *sums);
    add_all_rows(p->n, p->x, p->y, p->m, weights, w[p->n], scratch, sums);
    finish_gradient(p, w, sums, g);
}

static void run(const void *problem)
{
    const struct logreg *p = problem;

    solve(p, evaluate, gradient, memory, p->w);
}

static void release(void)
{
    free(weights);
    free(scratch);
    free(sums);
    free(gradient);
    free(memory);
}

VARIANT(.idea = "eight features, or eight rows, in a vector",
        .base = "cpu_fused",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release,
        .evaluations = evaluations)
