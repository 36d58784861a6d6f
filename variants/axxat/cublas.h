/*
 * The two products of cuda_cublas, shared with cuda_graph.  The library stores matrices by columns and we store them by
 * rows, so it takes ours for their transposes: a call for "X times A" gives A X in our order.
 */
#ifndef RUNGS_AXXAT_CUBLAS_H
#define RUNGS_AXXAT_CUBLAS_H

#include <cublas_v2.h>
#include <limits.h>

#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_x, d_y */

static cublasHandle_t cublas;

static const char *refuse_size(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;

    return p->n > INT_MAX ? "cuBLAS counts in int: no side may exceed 2^31 - 1" : NULL;
}

/* The library allocates its memory and loads its kernels when the handle is made. */
static void prepare_with_handle(const void *problem)
{
    prepare(problem);
    CUBLAS(cublasCreate(&cublas));
}

/* Y = A X, then Y += X A^T. */
static void multiply_twice(int n)
{
    const float one = 1, zero = 0;

    CUBLAS(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, d_x, n, d_a, n, &zero, d_y, n));
    CUBLAS(cublasSgemm(cublas, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &one, d_a, n, d_x, n, &one, d_y, n));
}

static void release_with_handle(void)
{
    CUBLAS(cublasDestroy(cublas));
    release();
}

#endif
