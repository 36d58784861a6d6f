/*
 * logreg / cuda_cublas
 *
 * Idea     How libraries are put together: sgemv for all margins, a kernel for the residuals, sgemv for the gradient.  The
 *          intercept's sum is a dot product with ones.
 * Against  cuda_naive, with the same two readings; cuda_warp, with one.
 * Expect   Two readings and four launches an evaluation: 782 us at L on an H200 for the two products (2026-11-23).
 * Try      A column of ones in X in place of the intercept: what does it cost, and what does it penalise?
 * Level    1
 * Read     cuda_buffers.h, lbfgs.h, solve.h, trace.h
 */
#include <cublas_v2.h>

#include "cuda_buffers.h" /* prepare, upload, run, download, release; residual */

static const unsigned threads = 256;
static cublasHandle_t handle;
static float *d_r, *d_ones, *d_floats; /* [m], [m], [n + 1] */

__global__ static void fill_ones(size_t m, float *ones)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < m)
        ones[i] = 1.0f;
}

/* Margins become residuals. */
__global__ static void find_residuals(size_t m, size_t n, const uint8_t *y, const float *w, float *r)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < m)
        r[i] = residual(n > 0 ? r[i] + w[n] : w[n], y[i]);
}

__global__ static void widen(size_t width, const float *from, double *to)
{
    const size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (j < width)
        to[j] = (double)from[j];
}

static void add_up(const struct logreg *p)
{
    const float one = 1.0f, none = 0.0f;
    const int64_t m = (int64_t)p->m, n = (int64_t)p->n;

    /* To BLAS, whose matrices are stored by columns, X is n x m. */
    if (n > 0)
        CUBLAS(cublasSgemv_64(handle, CUBLAS_OP_T, n, m, &one, d_x, n, d_w, 1, &none, d_r, 1));
    find_residuals<<<(unsigned)((p->m + threads - 1) / threads), threads>>>(p->m, p->n, d_y, d_w, d_r);
    CUDA(cudaGetLastError());
    if (n > 0)
        CUBLAS(cublasSgemv_64(handle, CUBLAS_OP_N, n, m, &one, d_x, n, d_r, 1, &none, d_floats, 1));
    CUBLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE)); /* the dot product stays there */
    CUBLAS(cublasSdot_64(handle, m, d_r, 1, d_ones, 1, d_floats + n));
    CUBLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    widen<<<(unsigned)(p->n / threads + 1), threads>>>(p->n + 1, d_floats, d_sums);
    CUDA(cudaGetLastError());
}

static void prepare_library(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    prepare(problem);
    CUDA(cudaMalloc(&d_r, p->m * sizeof *d_r));
    CUDA(cudaMalloc(&d_ones, p->m * sizeof *d_ones));
    CUDA(cudaMalloc(&d_floats, (p->n + 1) * sizeof *d_floats));
    fill_ones<<<(unsigned)((p->m + threads - 1) / threads), threads>>>(p->m, d_ones);
    CUDA(cudaGetLastError());
    CUBLAS(cublasCreate(&handle));
}

static void release_library(void)
{
    CUBLAS(cublasDestroy(handle));
    CUDA(cudaFree(d_r));
    CUDA(cudaFree(d_ones));
    CUDA(cudaFree(d_floats));
    release();
}

VARIANT(.idea = "cuBLAS: sgemv, a kernel, sgemv",
        .base = "cuda_naive",
        .device = &device_gpu,
        .prepare = prepare_library,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_library,
        .evaluations = evaluations)
