/*
 * matmul / cuda_cublas_bf16
 *
 * Idea     The library on bfloat16.  A and B are rounded first, by the kernel of cuda_tensor_bf16,
 *          and that is part of each run.
 * Against  cuda_cublas_tf32, which takes float32 as it is.  And cuda_tensor_bf16, which is ours.
 * Expect   1.7 times cuda_cublas_tf32 for large matrices (8192, H200, 2026-11-21), where rounding
 *          n^2 numbers costs little beside n^3 products.  No faster for small ones.
 * Try      cublasGemmEx on float32 with CUBLAS_COMPUTE_32F_FAST_16BF, which rounds by itself.
 * Level    2
 * Read     cuda_bf16.h, cuda_buffers.h
 */
#include <cublas_v2.h>
#include <limits.h>

#include "common/variant.h"
#include "cuda_bf16.h"    /* shorten_both, d_a_short, d_b_short */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_b, d_c */

static cublasHandle_t cublas;

static const char *refuse(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    int major;

    if (p->m > INT_MAX || p->n > INT_MAX - 7 || p->k > INT_MAX - 7)
        return "cuBLAS counts in int: no side may exceed 2^31 - 8";
    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    return major < 8 ? "no bfloat16 before compute capability 8.0" : NULL;
}

static void prepare_with_handle(const void *problem)
{
    prepare(problem);
    prepare_short((const struct matmul *)problem);
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
    shorten_both(p, d_a, d_b);
    CUBLAS(cublasGemmEx(cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b_short, CUDA_R_16BF,
                        (int)short_stride(p->n), d_a_short, CUDA_R_16BF, (int)short_stride(p->k),
                        &zero, d_c, CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

static void release_with_handle(void)
{
    CUBLAS(cublasDestroy(cublas));
    release_short();
    release();
}

VARIANT(.idea = "the library, with tensor cores: bfloat16",
        .base = "cuda_cublas_tf32",
        .device = &device_gpu,
        .math = MATH_F16,
        .refuse = refuse,
        .prepare = prepare_with_handle,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_with_handle)
