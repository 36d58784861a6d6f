/*
 * qr / cpu_openmp
 *
 * Idea     Blocks of rows that fit a cache, each with reflections of its own, on all cores; then the blocks' R as one
 *          matrix, and so on.  Float32.  Q is made downwards.
 * Against  cpu_naive, which reads the whole matrix for each column.
 * Expect   Arithmetic where m is many times n.  A square matrix is one block on one core.
 * Try      TSQR_BLOCK of 1 << 12 and 1 << 20: which cache matters?
 * Level    2
 * Read     tsqr.h
 */
#include <omp.h>

#include "common/qr.h"
#include "common/variant.h"
#include "tsqr.h" /* tsqr, tsqr_prepare, tsqr_release */

/* Eight columns at once, for which any compiler finds its vectors. */
static void reflect(const float *v, float factor, float *w, size_t rows, size_t stride, size_t from)
{
    for (size_t j = from / TSQR_LANES * TSQR_LANES; j < stride; j += TSQR_LANES) {
        float sum[TSQR_LANES] = {0.0f};
        for (size_t i = 0; i < rows; i++)
            for (size_t t = 0; t < TSQR_LANES; t++)
                sum[t] += v[i * stride] * w[i * stride + j + t];
        for (size_t t = 0; t < TSQR_LANES; t++)
            sum[t] = j + t < from ? 0.0f : factor * sum[t]; /* below are reflectors */
        for (size_t i = 0; i < rows; i++) {
            const float each = v[i * stride]; /* v may lie in w */
            for (size_t t = 0; t < TSQR_LANES; t++)
                w[i * stride + j + t] -= each * sum[t];
        }
    }
}

static void run(const void *problem)
{
    tsqr(problem, omp_get_max_threads(), reflect);
}

VARIANT(.idea = "blocks of rows that fit a cache, on all cores, and a tree of their R",
        .base = "cpu_naive",
        .prepare = tsqr_prepare,
        .run = run,
        .release = tsqr_release)
