/*
 * reduce / cuda_cublas
 *
 * Idea     The library of linear algebra: cublasSnrm2 for the norm, and cublasSdot with a vector of ones for the sum.
 * Against  cuda_cub, a library for such sums.
 * Expect   Three arrays are read where one would do: x twice and the ones.
 * Try      cublasSasum in place of the dot product: why is that no sum?
 * Level    1
 * Read     cuda_buffers.h
 */
#include <cublas_v2.h>

#include "cuda_buffers.h"

static cublasHandle_t handle;
static float *d_ones;

__global__ static void fill_ones(size_t n, float *ones)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        ones[i] = 1.0f;
}

static void prepare_ones(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;
    const size_t blocks = (p->n + 255) / 256;

    prepare(problem);
    CUDA(cudaMalloc(&d_ones, p->n * sizeof *d_ones));
    if (blocks > 0)
        fill_ones<<<(unsigned)blocks, 256>>>(p->n, d_ones);
    CUDA(cudaGetLastError());
    CUBLAS(cublasCreate(&handle));
    CUBLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE)); /* the answers stay there */
}

static void run(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;

    CUBLAS(cublasSdot_64(handle, (int64_t)p->n, d_x, 1, d_ones, 1, d_answer));
    CUBLAS(cublasSnrm2_64(handle, (int64_t)p->n, d_x, 1, d_answer + 1));
}

static void release_ones(void)
{
    CUBLAS(cublasDestroy(handle));
    CUDA(cudaFree(d_ones));
    release();
}

VARIANT(.idea = "cuBLAS: nrm2, and dot with ones",
        .base = "cuda_cub",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare_ones,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_ones)
