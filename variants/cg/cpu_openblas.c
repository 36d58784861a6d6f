/*
 * cg / cpu_openblas
 *
 * Idea     The product is a call of the library: cblas_sgemv of OpenBLAS, on all cores.
 * Against  cpu_simd_openmp, our own product.
 * Expect   The rate of memory, as there.
 * Try      openblas_set_num_threads(1).
 * Level    1
 * Read     iterate.h, openblas.h
 */
/* needs: openblas */
#include "common/cg.h"
#include "common/variant.h"
#include "openblas.h" /* refuse_size, prepare; iterate, iterate_release; cblas.h */

static void multiply(const struct cg *s, const float *p, float *q)
{
    const blasint n = (blasint)s->n;

    cblas_sgemv(CblasRowMajor, CblasNoTrans, n, n, 1, s->a, n > 0 ? n : 1, p, 1, 0, q, 1);
}

static void run(const void *problem)
{
    iterate(problem, multiply);
}

VARIANT(.idea = "OpenBLAS's sgemv, all cores",
        .base = "cpu_simd_openmp",
        .traits = TRAIT_CORES,
        .refuse = refuse_size,
        .prepare = prepare,
        .run = run,
        .release = iterate_release)
