/*
 * fft / cpu_simd_openmp
 *
 * Idea     All cores.  Many signals: each core transforms its own.  Fewer signals than cores: all
 *          cores share the columns of one signal, wait at a barrier, then share its rows.
 * Against  cpu_blocked, the same work on one core.
 * Expect   Many short signals: faster by the number of cores.  One long signal: bound by the shared
 *          cache and the memory, with two barriers per signal.
 * Try      batch = 1, n = 2^10 to 2^20: from which length on do the barriers cost less than the
 *          cores gain?
 * Level    2
 * Read     avx2.h, fourstep.h, lanes.h
 */
#include <immintrin.h>
#include <math.h>
#include <omp.h>

#include "common/fft.h"
#include "common/variant.h"
#include "avx2.h"     /* eight lanes: struct vec, simd_missing */
#include "fourstep.h" /* columns and rows of a signal, a lane for each */

static struct fourstep steps;
static size_t threads;

static const char *refuse(const void *problem)
{
    return lanes_refuse(((const struct fft *)problem)->n);
}

static void prepare(const void *problem)
{
    const struct fft *p = problem;

    /* With as many signals as threads, each thread transforms its own; with fewer, all threads share one. */
    threads = (size_t)omp_get_max_threads();
    fourstep_prepare(&steps, p->n, fourstep_divisor(p->n, (size_t)sqrt((double)p->n)),
                     p->batch < threads ? 1 : threads, threads);
}

static void run(const void *problem)
{
    const struct fft *p = problem;

    if (p->batch >= threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
        for (size_t b = 0; b < p->batch; b++)
            fourstep_transform(&steps, p->x + b * p->n, p->X + b * p->n,
                               (size_t)omp_get_thread_num());
        return;
    }
    for (size_t b = 0; b < p->batch; b++) {
        const struct cpx *x = p->x + b * p->n;
        struct cpx *X = p->X + b * p->n;

#pragma omp parallel num_threads(threads)
        {
            struct vec *work = steps.work + (size_t)omp_get_thread_num() * fourstep_work(&steps);

#pragma omp for schedule(static) /* ends with a barrier: a row needs all columns */
            for (size_t g = 0; g < steps.columns; g++)
                fourstep_columns(&steps, g, x, steps.a, work);
#pragma omp for schedule(static)
            for (size_t g = 0; g < steps.rows; g++)
                fourstep_rows(&steps, g, steps.a, X, work);
        }
    }
}

static void release(void)
{
    fourstep_release(&steps);
}

VARIANT(.idea = "all cores, over signals or over columns and rows",
        .base = "cpu_blocked",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
