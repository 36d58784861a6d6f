/*
 * align / cpu_simd_openmp
 *
 * Idea     All cores.  As many pairs as cores, or more: each core aligns its own.  Fewer: all cores share the three steps of
 *          one pair, and wait for each other between them.
 * Against  cpu_simd, the same work on one core.
 * Expect   Many small pairs: faster by the number of cores.  One pair: bound by the shared cache and the memory, which
 *          carry 32 bytes a pixel.
 * Try      pairs = 1, rows and cols from 2^5 to 2^12: from which size on do the barriers cost less than the cores gain?
 * Level    2
 * Read     ../fft/avx2.h, ../fft/lanes.h, peak.h, pipeline.h
 */
#include <immintrin.h>
#include <omp.h>

#include "common/align.h"
#include "common/variant.h"
#include "../fft/avx2.h" /* eight lanes: struct vec, simd_missing */

#define VEC_SQRT _mm256_sqrt_ps
#define VEC_LOAD _mm256_loadu_ps
#define VEC_ZERO _mm256_setzero_ps()
#include "pipeline.h" /* the three steps */

static struct pipeline steps;
static size_t threads;

static const char *refuse(const void *problem)
{
    (void)problem;
    return simd_missing();
}

static void prepare(const void *problem)
{
    const struct align *p = problem;

    threads = (size_t)omp_get_max_threads();
    pipeline_prepare(&steps, p, p->pairs < threads ? 1 : threads, threads);
}

/* All cores for one pair */
static void together(const struct align *p, size_t pair)
{
    const size_t pixels = pair * p->rows * p->cols;
    struct highest best = {-1.0f, 0};

#pragma omp parallel num_threads(threads)
    {
        struct vec *work = steps.work + (size_t)omp_get_thread_num() * steps.numbers;
        struct highest mine = {-1.0f, 0};

#pragma omp for schedule(static) /* each loop ends with a barrier: a column needs all rows */
        for (size_t band = 0; band < steps.bands; band++)
            pipeline_rows(&steps, band, p->a + pixels, p->b + pixels, steps.A, steps.B, work);
#pragma omp for schedule(dynamic)
        for (size_t group = 0; group < steps.groups; group++)
            pipeline_columns(&steps, group, p->eps[pair], steps.A, steps.B, work);
#pragma omp for schedule(static) nowait
        for (size_t first = 0; first < p->rows; first += 2 * LANES)
            take_higher(&mine, pipeline_back(&steps, first, steps.A, work));
#pragma omp critical
        take_higher(&best, mine);
    }
    pipeline_answer(&steps, p, pair, best, steps.A, steps.work);
}

static void run(const void *problem)
{
    const struct align *p = problem;

    if (p->pairs < threads) {
        for (size_t pair = 0; pair < p->pairs; pair++)
            together(p, pair);
        return;
    }
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t pair = 0; pair < p->pairs; pair++)
        pipeline_pair(&steps, p, pair, (size_t)omp_get_thread_num(), (size_t)omp_get_thread_num());
}

static void release(void)
{
    pipeline_release(&steps);
}

VARIANT(.idea = "all cores, over pairs or over the steps of one",
        .base = "cpu_simd",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
