/*
 * qr / cuda_cublas
 *
 * Idea     The library's products: cublasSsyrk for A'A, cublasStrsm for A R^-1.  It has no Cholesky; that of cuda_panels.h is between
 *          them.  The library takes no notice of a flag on the device, so the host asks for the guard after each pass.
 * Against  cuda_cholesky, whose launches of passes that are not needed end by themselves.
 * Expect   XL: 2 T multiply-adds in float32 at 0.9 of the peak, 70 ms.  L: 64 columns are few for a product that sums over 2^20
 *          rows.  A pass is a round trip more, 10 us.
 * Try      cublasSetMathMode(cublas, CUBLAS_TF32_TENSOR_OP_MATH) after cublasCreate: what does the judge say?
 * Level    2
 * Read     cuda_factor.h, cuda_matrices.h, cuda_panels.h, cuda_solve.h
 */
#include <cublas_v2.h>
#include <limits.h>

#include "common/variant.h"
#include "cuda_matrices.h" /* prepare, upload, download, release; d_a, d_q, d_r */
#include "cuda_panels.h"   /* factor_wide; TEAM, MOST_WIDE */

static cublasHandle_t cublas;
static float *d_product, *d_scaled, *d_factor; /* [n][n] */
static double *d_gram;                         /* [n][n] */
static struct guard *d_guard;

__global__ static void __launch_bounds__(TEAM) qr_widen(size_t count, const float *product, double *gram)
{
    const size_t i = (size_t)blockIdx.x * TEAM + threadIdx.x;

    if (i < count)
        gram[i] = product[i];
}

static const char *refuse(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    return p->m > INT_MAX ? "cuBLAS counts in int: no side may exceed 2^31 - 1" : NULL;
}

static void prepare_with_handle(const void *problem)
{
    const size_t n = ((const struct qr *)problem)->n;

    prepare(problem);
    CUBLAS(cublasCreate(&cublas));
    CUDA(cudaMalloc(&d_product, n * n * sizeof *d_product));
    CUDA(cudaMalloc(&d_scaled, n * n * sizeof *d_scaled));
    CUDA(cudaMalloc(&d_factor, n * n * sizeof *d_factor));
    CUDA(cudaMalloc(&d_gram, n * n * sizeof *d_gram));
    CUDA(cudaMalloc(&d_guard, sizeof *d_guard));
}

static void run(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;
    const int m = (int)p->m, n = (int)p->n;
    const size_t count = p->n * p->n;
    const float one = 1.0f, zero = 0.0f;
    double off = 1.0; /* what is off the diagonal of Q'Q, squared */

    if (n == 0)
        return;
    CUDA(cudaMemsetAsync(d_guard, 0, sizeof *d_guard, 0));
    CUDA(cudaMemcpyAsync(d_q, d_a, p->m * p->n * sizeof *d_q, cudaMemcpyDeviceToDevice, 0));
    for (int pass = 0; pass < MOST_WIDE && !(off <= 0.25); pass++) {
        /* The library stores matrices by columns: it takes our Q for Q', and our upper triangles for lower ones. */
        CUBLAS(cublasSsyrk(cublas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, m, &one, d_q, n, &zero, d_product, n));
        qr_widen<<<(unsigned)((count + TEAM - 1) / TEAM), TEAM>>>(count, d_product, d_gram);
        factor_wide(p->n, d_gram, d_scaled, d_factor, d_r, d_guard, pass);
        CUBLAS(cublasStrsm(cublas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, m, &one,
                           d_factor, n, d_q, n));
        if (pass > 0)
            CUDA(cudaMemcpy(&off, &d_guard->off[pass], sizeof off, cudaMemcpyDeviceToHost));
    }
}

static void release_with_handle(void)
{
    CUBLAS(cublasDestroy(cublas));
    CUDA(cudaFree(d_product));
    CUDA(cudaFree(d_scaled));
    CUDA(cudaFree(d_factor));
    CUDA(cudaFree(d_gram));
    CUDA(cudaFree(d_guard));
    release();
}

VARIANT(.idea = "the library's ssyrk and strsm, and the host asks for the guard",
        .base = "cuda_cholesky",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare_with_handle,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_with_handle)
