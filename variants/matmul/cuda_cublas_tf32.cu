/*
 * matmul / cuda_cublas_tf32
 *
 * Idea     The library again, now allowed to use tensor cores: products of TF32, sums of float32.
 * Against  cuda_cublas, the same product in float32.  And cuda_tensor_tf32, which is ours.
 * Expect   Some eight times cuda_cublas in short calls (413 and 50.6 TFLOP/s at 8192, H200,
 *          2026-11-22).  The price is 13 of each factor's 24 bits.
 * Try      CUBLAS_COMPUTE_32F instead: which variant is this then?
 * Level    2
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
    int major;

    if (p->m > INT_MAX || p->n > INT_MAX || p->k > INT_MAX)
        return "cuBLAS counts in int: no side may exceed 2^31 - 1";
    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    return major < 8 ? "no TF32 before compute capability 8.0" : NULL;
}

static void prepare_with_handle(const void *problem)
{
    prepare(problem);
    CUBLAS(cublasCreate(&cublas));
}

/* As in cuda_cublas, columns first: B times A. */
static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const int m = (int)p->m, n = (int)p->n, k = (int)p->k;
    const float one = 1, zero = 0;

    if (m == 0 || n == 0)
        return;
    if (k == 0) {
        CUDA(cudaMemset(d_c, 0, p->m * p->n * sizeof(float)));
        return;
    }
    CUBLAS(cublasGemmEx(cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, CUDA_R_32F, n, d_a,
                        CUDA_R_32F, k, &zero, d_c, CUDA_R_32F, n, CUBLAS_COMPUTE_32F_FAST_TF32,
                        CUBLAS_GEMM_DEFAULT));
}

static void release_with_handle(void)
{
    CUBLAS(cublasDestroy(cublas));
    release();
}

VARIANT(.idea = "the library, with tensor cores: TF32",
        .base = "cuda_cublas",
        .device = &device_gpu,
        .math = MATH_TF32,
        .refuse = refuse,
        .prepare = prepare_with_handle,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_with_handle)
