/*
 * axxat / cpu_openblas
 *
 * Idea     Call the library twice: cblas_sgemm of OpenBLAS for A X, and again for X A^T, which it adds (beta = 1).
 * Against  cpu_simd_openmp, our own kernel on all cores.
 * Expect   Bound by arithmetic.  Y is read once more than in one product.
 * Try      beta = 0 in the second call: the first term is gone.  What does the judge say?
 * Level    1
 * Read     openblas.h
 */
/* needs: openblas */
#include "common/axxat.h"
#include "common/variant.h"
#include "openblas.h" /* refuse_size, prepare; cblas.h */

static void run(const void *problem)
{
    const struct axxat *p = problem;
    const blasint n = (blasint)p->n, stride = n > 0 ? n : 1;

    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, p->a, stride, p->x, stride, 0, p->y, stride);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, n, 1, p->x, stride, p->a, stride, 1, p->y, stride);
}

VARIANT(.idea = "OpenBLAS's sgemm twice, the second call adds",
        .base = "cpu_simd_openmp",
        .traits = TRAIT_CORES,
        .refuse = refuse_size,
        .prepare = prepare,
        .run = run)
