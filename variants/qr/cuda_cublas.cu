/*
 * qr / cuda_cublas
 *
 * Idea     The library's products: cublasSsyrk for A'A, cublasStrsm for A R^-1.  It has no Cholesky; that of cuda_panels.h is
 *          between them.
 * Against  cuda_cholesky, whose products are ours.
 * Expect   XL: 2 T multiply-adds in float32 at 0.9 of the peak, 70 ms.  L: ssyrk does not cut its sum over
 *          2^20 rows, so few multiprocessors have work.
 * Try      cublasSgemm in place of cublasSsyrk at L: the library cuts the sum of that one.
 * Level    2
 * Read     cuda_buffers.h, cuda_factor.h, cuda_panels.h, cuda_solve.h
 */
#include <cublas_v2.h>
#include <limits.h>

#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_q, d_r */
#include "cuda_panels.h"   /* prepare_panels, factor_gram, join_factor, is_near_one, release_panels; d_gram, d_factor; MOST_WIDE */

static cublasHandle_t cublas;
static float *d_product; /* [n][n] */

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
    prepare_panels(n);
}

static void run(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;
    const int m = (int)p->m, n = (int)p->n;
    const size_t count = p->n * p->n;
    const float one = 1.0f, zero = 0.0f;
    bool last = false;

    if (n == 0)
        return;
    CUDA(cudaMemcpyAsync(d_q, d_a, p->m * p->n * sizeof *d_q, cudaMemcpyDeviceToDevice, 0));
    for (int pass = 0; pass < MOST_WIDE && !last; pass++) {
        /* The library stores matrices by columns: it takes our Q for Q', and our upper triangles for lower ones. */
        CUBLAS(cublasSsyrk(cublas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, m, &one, d_q, n, &zero, d_product, n));
        qr_widen<<<(unsigned)((count + TEAM - 1) / TEAM), TEAM>>>(count, d_product, d_gram);
        last = pass > 0 && is_near_one(p->n);
        factor_gram(p->n, last ? 0.0f : shift_of(p->n));
        join_factor(p->n, pass == 0, d_r);
        CUBLAS(cublasStrsm(cublas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, m, &one,
                           d_factor, n, d_q, n));
    }
}

static void release_with_handle(void)
{
    CUBLAS(cublasDestroy(cublas));
    CUDA(cudaFree(d_product));
    release_panels();
    release();
}

VARIANT(.idea = "the library's ssyrk and strsm",
        .base = "cuda_cholesky",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare_with_handle,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_with_handle)
