/*
 * axxat / cpu_openblas_syr2k
 *
 * Idea     With a symmetric X, Y = A X^T + X A^T, which BLAS knows as a symmetric update of rank 2k.  cblas_ssyr2k computes
 *          the triangle on and above the diagonal, and a loop mirrors it.
 * Against  cpu_openblas, two full products.
 * Expect   Half the arithmetic, so up to twice as fast, if the library's kernel for triangles is as good as that for
 *          squares.
 * Try      CblasLower, and leave the loop as it is.
 * Level    1
 * Read     openblas.h
 */
/* needs: openblas */
#include "common/axxat.h"
#include "common/variant.h"
#include "openblas.h" /* refuse_size, prepare; cblas.h */

enum { SIDE = 32 }; /* of a block that is mirrored: both of its sides stay in L1 */

static const char *refuse(const void *problem)
{
    const struct axxat *p = problem;

    return p->symmetric ? refuse_size(problem) : "X is not symmetric, and A X^T is not A X";
}

static void run(const void *problem)
{
    const struct axxat *p = problem;
    const blasint n = (blasint)p->n, stride = n > 0 ? n : 1;

    cblas_ssyr2k(CblasRowMajor, CblasUpper, CblasNoTrans, n, n, 1, p->a, stride, p->x, stride, 0, p->y, stride);
#pragma omp parallel for schedule(dynamic)
    for (size_t i0 = 0; i0 < p->n; i0 += SIDE)
        for (size_t j0 = 0; j0 <= i0; j0 += SIDE)
            for (size_t i = i0; i < i0 + SIDE && i < p->n; i++)
                for (size_t j = j0; j < j0 + SIDE && j < i; j++)
                    p->y[i * p->n + j] = p->y[j * p->n + i];
}

VARIANT(.idea = "a symmetric X: OpenBLAS's ssyr2k, a triangle, then mirrored",
        .base = "cpu_openblas",
        .traits = TRAIT_CORES,
        .refuse = refuse,
        .prepare = prepare,
        .run = run)
