/*
 * fft / cpu_bluestein
 *
 * Idea     Any length.  A product of primes up to 61 takes the passes of cpu_simd_openmp.  Any other
 *          length is a convolution with a chirp (Bluestein): two transforms of a length that the
 *          passes like, about twice as long.  All products are done where the numbers are in
 *          registers anyway, so a prime goes through memory three times.
 * Against  cpu_simd_openmp, which has no passes for large primes.
 * Expect   A prime takes five times as long as a smooth length beside it: two transforms, each twice
 *          as long, with three trips through memory of twice as much instead of two.
 * Try      n = 1000000 and 1000003.  Then MAX_RADIX = 13 in lanes.h, and n = 17 * 2^16: is a pass of 17
 *          terms cheaper than the chirp?
 * Level    3
 * Read     avx2.h, chirp.h, fourstep.h, lanes.h
 */
#include <immintrin.h>
#include <math.h>
#include <omp.h>

#include "common/fft.h"
#include "common/variant.h"
#include "avx2.h"     /* eight lanes: struct vec, simd_missing */
#include "fourstep.h" /* columns and rows of a signal, a lane for each */
#include "chirp.h"    /* the convolution, in three steps */

enum { ALONE = 1 << 12 }; /* points that one thread transforms before the others have started */

static struct fourstep steps; /* if n is a product of small primes */
static struct chirp chirp;    /* if not */
static bool smooth;
static size_t threads;

static const char *refuse(const void *problem)
{
    (void)problem;
    return simd_missing();
}

static void prepare(const void *problem)
{
    const struct fft *p = problem;
    const size_t n = p->n;

    /* With as many signals as threads, each thread transforms its own; with fewer, all threads share one. */
    threads = (size_t)omp_get_max_threads();
    if (p->batch * n <= ALONE)
        threads = 1;
    smooth = lanes_can(n);
    if (smooth)
        fourstep_prepare(&steps, n, fourstep_divisor(n, (size_t)sqrt((double)n)), p->batch < threads ? 1 : threads,
                         threads);
    else
        chirp_prepare(&chirp, n, p->batch < threads ? 1 : threads, threads);
}

/* All steps of one signal by thread number `me` alone */
static void alone(const struct cpx *x, struct cpx *X, size_t me)
{
    struct vec *a = chirp.a + me * chirp.groups2 * chirp.n2, *a2 = chirp.a2 + me * chirp.groups1 * chirp.n1;
    struct vec *work = chirp.work + me * 2 * (chirp.n1 > chirp.n2 ? chirp.n1 : chirp.n2);

    if (smooth) {
        fourstep_transform(&steps, x, X, me);
        return;
    }
    for (size_t g = 0; g < chirp.groups1; g++)
        chirp_columns(&chirp, g, x, chirp.n, chirp.c, a, work);
    for (size_t g = 0; g < chirp.groups2; g++)
        chirp_middle(&chirp, g, a, a2, work);
    for (size_t g = 0; g < chirp.groups1; g++)
        chirp_back(&chirp, g, a2, X, work);
}

/* A thread's part of one signal; each loop ends with a barrier, since a step needs all of the step before. */
static void together(const struct cpx *x, struct cpx *X, size_t me)
{
    if (smooth) {
        struct vec *work = steps.work + me * fourstep_work(&steps);

#pragma omp for schedule(static)
        for (size_t g = 0; g < steps.columns; g++)
            fourstep_columns(&steps, g, x, steps.a, work);
#pragma omp for schedule(static)
        for (size_t g = 0; g < steps.rows; g++)
            fourstep_rows(&steps, g, steps.a, X, work);
        return;
    }

    struct vec *work = chirp.work + me * 2 * (chirp.n1 > chirp.n2 ? chirp.n1 : chirp.n2);

#pragma omp for schedule(static)
    for (size_t g = 0; g < chirp.groups1; g++)
        chirp_columns(&chirp, g, x, chirp.n, chirp.c, chirp.a, work);
#pragma omp for schedule(static)
    for (size_t g = 0; g < chirp.groups2; g++)
        chirp_middle(&chirp, g, chirp.a, chirp.a2, work);
#pragma omp for schedule(static)
    for (size_t g = 0; g < chirp.groups1; g++)
        chirp_back(&chirp, g, chirp.a2, X, work);
}

static void run(const void *problem)
{
    const struct fft *p = problem;

#pragma omp parallel num_threads(threads)
    {
        const size_t me = (size_t)omp_get_thread_num();

        if (p->batch >= threads) {
#pragma omp for schedule(static)
            for (size_t b = 0; b < p->batch; b++)
                alone(p->x + b * p->n, p->X + b * p->n, me);
        } else {
            for (size_t b = 0; b < p->batch; b++)
                together(p->x + b * p->n, p->X + b * p->n, me);
        }
    }
}

static void release(void)
{
    if (smooth)
        fourstep_release(&steps);
    else
        chirp_release(&chirp);
}

VARIANT(.idea = "any length: small primes by passes, others by Bluestein's convolution",
        .base = "cpu_simd_openmp",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
