/*
 * align / cpu_simd
 *
 * Idea     Eight lanes of AVX2: eight rows, then eight columns at once, each in a lane of its own.  No butterfly needs a
 *          shuffle; only between rows and columns do numbers change lanes, in blocks of 8 x 8.  g is not stored: each
 *          lane remembers where it was highest.
 * Against  cpu_blocked, a number at a time.
 * Expect   Nearly eight times while arithmetic is the limit.  Eight rows of 1024 are 64 KiB, so their passes go through
 *          the second-level cache.
 * Try      rows and cols of 2048, 2187 and 2401: which radix has the best rate?
 * Level    2
 * Read     ../fft/avx2.h, ../fft/lanes.h, peak.h, pipeline.h
 */
#include <immintrin.h>

#include "common/align.h"
#include "common/variant.h"
#include "../fft/avx2.h" /* eight lanes: struct vec, simd_missing */

#define VEC_SQRT _mm256_sqrt_ps
#define VEC_LOAD _mm256_loadu_ps
#define VEC_ZERO _mm256_setzero_ps()
#include "pipeline.h" /* the three steps */

static struct pipeline steps;

static const char *refuse(const void *problem)
{
    (void)problem;
    return simd_missing();
}

static void prepare(const void *problem)
{
    pipeline_prepare(&steps, problem, 1, 1);
}

static void run(const void *problem)
{
    const struct align *p = problem;

    for (size_t pair = 0; pair < p->pairs; pair++)
        pipeline_pair(&steps, p, pair, 0, 0);
}

static void release(void)
{
    pipeline_release(&steps);
}

VARIANT(.idea = "eight rows or columns in the eight lanes of AVX2",
        .base = "cpu_blocked",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
