/*
 * matmul / cuda_cublas
 *
 * Idea     Call the library: cublasSgemm.  It counts columns first where we count rows, so that it
 *          takes our A for its transpose; and as C = A*B transposed is B*A transposed, asking it
 *          for B times A gives C the way we want it.
 * Against  cuda_async, our best.
 * Expect   Bound by arithmetic: the library has a kernel for each shape of matrix and each device,
 *          and cuts even small products so that all multiprocessors have work.
 * Try      NVIDIA_TF32_OVERRIDE=1 in the environment lets tensor cores round the products to 11
 *          bits: how many times faster, and what does the judge say?
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

/* The library takes its own memory, and loads its kernels, when the handle is made. */
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

    /* The library wants at least 1 for the distance between rows, so empty matrices are ours. */
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
