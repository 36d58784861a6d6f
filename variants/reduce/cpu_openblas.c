/*
 * reduce / cpu_openblas
 *
 * Idea     The library: snrm2 for the norm, and dsdot with a vector of ones for the sum, since BLAS has no plain sum.
 *          dsdot has totals in float64.  sdot, with totals in float32, fails the judge at 65537 numbers.
 * Against  cpu_simd_openmp, which reads each number once for both answers.
 * Expect   Three times the bytes: x twice and the ones once.
 * Try      cblas_sdot: what does the judge say, and of which data?
 * Level    1
 * Read     nothing else
 */
/* needs: openblas */
#include <cblas.h>
#include <limits.h>
#include <omp.h>
#include <stdlib.h>

#include "common/reduce.h"
#include "common/variant.h"

static float *ones;

static const char *refuse(const void *problem)
{
    const struct reduce *p = problem;

    return p->n > INT_MAX ? "BLAS counts in int: n may not exceed 2^31 - 1" : NULL;
}

static void prepare(const void *problem)
{
    const struct reduce *p = problem;
    const int threads = omp_get_max_threads(), processors = omp_get_num_procs();

    openblas_set_num_threads(threads < processors ? threads : processors);
    ones = malloc((p->n + 1) * sizeof *ones);
    for (size_t i = 0; i < p->n; i++)
        ones[i] = 1.0f;
}

static void run(const void *problem)
{
    const struct reduce *p = problem;

    *p->sum = (float)cblas_dsdot((blasint)p->n, p->x, 1, ones, 1);
    *p->norm = cblas_snrm2((blasint)p->n, p->x, 1);
}

static void release(void)
{
    free(ones);
}

VARIANT(.idea = "OpenBLAS: snrm2, and dsdot with ones",
        .base = "cpu_simd_openmp",
        .traits = TRAIT_CORES,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
