/*
 * matmul / cuda_cublas
 *
 * Idea     Call the library: cublasSgemm.  The library stores matrices by columns and we store them
 *          by rows, so it takes our A for its transpose.  The transpose of C = A*B is the product
 *          of B's transpose and A's.  So a call for "B times A" gives C in our order.
 * Against  cuda_async, our own float32 kernel.
 * Expect   Bound by arithmetic: the library has a kernel for each shape of matrix and each device,
 *          and cuts even small products so that all multiprocessors have work.
 * Try      cublasSetMathMode(cublas, CUBLAS_TF32_TENSOR_OP_MATH) after cublasCreate: tensor cores
 *          then round the factors to 11 bits.  How many times faster is it, and what does the judge
 *          say?
 * Level    1
 * Read     cuda_buffers.h
 */
#include <cublas_v2.h>
#include <limits.h>

#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_b, d_c */

static cublasHandle_t cublas;

static const char *refuse(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    if (p->m > INT_MAX || p->n > INT_MAX || p->k > INT_MAX)
        return "cuBLAS counts in int: no side may exceed 2^31 - 1";
    return NULL;
}

/* The library allocates its memory and loads its kernels when the handle is made. */
static void prepare_with_handle(const void *problem)
{
    prepare(problem);
    CUBLAS(cublasCreate(&cublas));
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const int m = (int)p->m, n = (int)p->n, k = (int)p->k;
    const float one = 1, zero = 0;

    /* The library needs rows at least 1 apart, so empty matrices are handled here. */
    if (m == 0 || n == 0)
        return;
    if (k == 0) {
        CUDA(cudaMemset(d_c, 0, p->m * p->n * sizeof(float)));
        return;
    }
    CUBLAS(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, n, d_a, k, &zero,
                       d_c, n));
}

static void release_with_handle(void)
{
    CUBLAS(cublasDestroy(cublas));
    release();
}

VARIANT(.idea = "the library: cublasSgemm",
        .base = "cuda_async",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare_with_handle,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_with_handle)
