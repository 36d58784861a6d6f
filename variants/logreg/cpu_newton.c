/*
 * logreg / cpu_newton
 *
 * Idea     Newton's method: the Hessian beside the gradient, from the same reading, and a system of n + 1 equations for
 *          each step.  The number of correct digits doubles from step to step.
 * Against  cpu_simd_openmp, whose L-BFGS learns the curvature from the steps.
 * Expect   Four or five readings in place of twenty.  Each does n/4 times the arithmetic of a gradient, so with 32 features
 *          it is no faster on two cores, and with 4 it is.
 * Try      --size m=1e6,n=4 and n=128: which method is faster?
 * Level    2
 * Read     avx2.h, newton.h, trace.h
 */
#include <omp.h>
#include <stdlib.h>

#include "avx2.h" /* exp_lanes, mask_of, residuals_of */
#include "common/logreg.h"
#include "common/variant.h"
#include "newton.h" /* newton_start, newton_next */
#include "trace.h"  /* trace_add, evaluations */

enum {
    BLOCK = 64,      /* rows in float32 before the totals go into float64 */
    MOST_PARTS = 128
};

/* One part's sums, and what a thread needs for a block of rows: a column of ones is added, for the intercept. */
static double *sums;            /* [parts][n + 1 + (n + 1)^2] gradient, Hessian's lower triangle */
static float *rows, *scaled;    /* [threads][BLOCK][width] x; [threads][BLOCK + 1][width] p (1 - p) x, and the gradient */
static float *weights;          /* [width] */
static double *gradient, *hessian;
static void *memory;

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? NULL : "needs AVX2 and FMA";
}

static size_t width_of(size_t n)
{
    return (n + 1 + 2 * LANES - 1) / (2 * LANES) * (2 * LANES);
}

static size_t length_of(size_t n)
{
    return (n + 1) * (n + 2);
}

static size_t parts_of(const struct logreg *p)
{
    const size_t parts = p->m * (p->n + 1) / (1 << 14);

    return parts < 1 ? 1 : parts < MOST_PARTS ? parts : MOST_PARTS;
}

static void prepare(const void *problem)
{
    const struct logreg *p = problem;
    const size_t width = width_of(p->n), threads = (size_t)omp_get_max_threads();

    sums = malloc(parts_of(p) * length_of(p->n) * sizeof *sums);
    rows = aligned_alloc(64, threads * BLOCK * width * sizeof *rows);
    scaled = aligned_alloc(64, threads * (BLOCK + 1) * width * sizeof *scaled);
    weights = aligned_alloc(64, width * sizeof *weights);
    gradient = malloc((p->n + 1) * sizeof *gradient);
    hessian = malloc((p->n + 1) * (p->n + 1) * sizeof *hessian);
    memory = malloc(newton_bytes(p->n + 1));
}

/* Copies rows, each with a 1 behind its features, and fills the block with rows of zeros. */
static void take_block(const struct logreg *p, size_t first, size_t count, float *to)
{
    const size_t width = width_of(p->n);

    for (size_t i = 0; i < BLOCK; i++) {
        float *row = to + i * width;
        memset(row, 0, width * sizeof *row);
        if (i < count) {
            memcpy(row, p->x + (first + i) * p->n, p->n * sizeof *row);
            row[p->n] = 1.0f;
        }
    }
}

/* Adds r x to the gradient, and leaves p (1 - p) x in `scaled`.  Rows of zeros add nothing, whatever their label. */
__attribute__((target("avx2,fma"))) static void add_gradient(size_t width, const float *x, const uint8_t *y, float *to,
                                                             float *g)
{
    const __m256 zero = _mm256_setzero_ps();

    for (size_t i = 0; i < BLOCK; i += ROWS) {
        float curved[ROWS];
        const __m256 r = residuals_of(margins_of(width, x + i * width, weights), y + i);
        /* |r| is p or 1 - p */
        const __m256 size = _mm256_max_ps(r, _mm256_sub_ps(zero, r));
        _mm256_storeu_ps(curved, _mm256_mul_ps(size, _mm256_sub_ps(_mm256_set1_ps(1.0f), size)));
        add_shares(width, x + i * width, r, g);
        for (size_t k = 0; k < ROWS; k++)
            for (size_t j = 0; j < width; j += LANES)
                _mm256_store_ps(to + (i + k) * width + j,
                                _mm256_mul_ps(_mm256_load_ps(x + (i + k) * width + j), _mm256_set1_ps(curved[k])));
    }
}

/* Adds four rows of the block's X' D X, sixteen columns from `column` on. */
__attribute__((target("avx2,fma"))) static void add_tile(size_t width, size_t n, const float *x, const float *dx, size_t row,
                                                         size_t column, double *h)
{
    enum { HIGH = 4 };
    __m256 sum[HIGH][2];
    float lanes[2 * LANES];

    for (int a = 0; a < HIGH; a++)
        sum[a][0] = sum[a][1] = _mm256_setzero_ps();
    for (size_t i = 0; i < BLOCK; i++) {
        const __m256 left = _mm256_load_ps(x + i * width + column), right = _mm256_load_ps(x + i * width + column + LANES);
        for (size_t a = 0; a < HIGH; a++) {
            const __m256 d = _mm256_broadcast_ss(dx + i * width + row + a);
            sum[a][0] = _mm256_fmadd_ps(d, left, sum[a][0]);
            sum[a][1] = _mm256_fmadd_ps(d, right, sum[a][1]);
        }
    }
    for (size_t a = 0; a < HIGH && row + a < n; a++) {
        _mm256_storeu_ps(lanes, sum[a][0]);
        _mm256_storeu_ps(lanes + LANES, sum[a][1]);
        for (size_t j = column; j <= row + a && j < column + 2 * LANES; j++)
            h[(row + a) * n + j] += (double)lanes[j - column];
    }
}

static void add_block(const struct logreg *p, size_t first, size_t count, float *x, float *dx, double *own)
{
    const size_t width = width_of(p->n), n = p->n + 1;
    float *g = dx + BLOCK * width;
    uint8_t y[BLOCK] = {0};

    take_block(p, first, count, x);
    memcpy(y, p->y + first, count);
    memset(g, 0, width * sizeof *g);
    add_gradient(width, x, y, dx, g);
    for (size_t j = 0; j < n; j++)
        own[j] += (double)g[j];
    for (size_t row = 0; row < n; row += 4)
        for (size_t column = 0; column <= row + 3 && column < n; column += 2 * LANES)
            add_tile(width, n, x, dx, row, column, own + n);
}

static void evaluate(const struct logreg *p, const float *w)
{
    const size_t n = p->n + 1, parts = parts_of(p), width = width_of(p->n), length = length_of(p->n);

    memset(weights, 0, width * sizeof *weights);
    memcpy(weights, w, n * sizeof *weights);
#pragma omp parallel for schedule(dynamic)
    for (size_t part = 0; part < parts; part++) {
        const size_t thread = (size_t)omp_get_thread_num() * width, end = p->m * (part + 1) / parts;
        memset(sums + part * length, 0, length * sizeof *sums);
        for (size_t i = p->m * part / parts; i < end; i += BLOCK)
            add_block(p, i, end - i < BLOCK ? end - i : BLOCK, rows + thread * BLOCK,
                      scaled + thread * (BLOCK + 1), sums + part * length);
    }
    for (size_t part = 1; part < parts; part++)
        for (size_t j = 0; j < length; j++)
            sums[j] += sums[part * length + j];
    for (size_t j = 0; j < n; j++)
        gradient[j] = sums[j] / (double)p->m + (j + 1 < n ? (double)p->lambda * w[j] : 0.0);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            hessian[i * n + j] = sums[n + i * n + j] / (double)p->m + (i == j && i + 1 < n ? (double)p->lambda : 0.0);
}

static void run(const void *problem)
{
    const struct logreg *p = problem;
    struct newton t;
    int more = 1;

    traced = 0;
    newton_start(&t, p->n + 1, p->tau, memory);
    while (more) {
        evaluate(p, t.trial);
        more = newton_next(&t, gradient, hessian);
        trace_add(1.0, t.size);
    }
    memcpy(p->w, t.best, (p->n + 1) * sizeof *p->w);
}

static void release(void)
{
    free(sums);
    free(rows);
    free(scaled);
    free(weights);
    free(gradient);
    free(hessian);
    free(memory);
}

VARIANT(.idea = "Newton: the Hessian from the same reading",
        .base = "cpu_simd_openmp",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release,
        .evaluations = evaluations)
