/*
 * axxat / cuda_naive
 *
 * Idea     One GPU thread per element of Y, which adds up both sums.  This file spells out everything that it takes:
 *          memory on the device, copies there and back, the launch.  Later variants share its host side.
 * Against  cpu_naive: one thread for all elements.
 * Expect   Bound by loads: four for two multiply-adds.  In the first sum a warp reads 32 neighbours of X.  In the second
 *          its lanes read A a whole row apart, 32 lines for 32 numbers, and only the cache saves it.
 * Try      Only the first sum, then only the second: which takes longer, and how many times?
 * Level    1
 * Read     nothing else
 */
#include "common/axxat.h"
#include "common/cuda.h"
#include "common/variant.h"

static const int threads = 256; /* of a block; any multiple of 32, a warp, from 128 on will do */

static float *d_a, *d_x, *d_y; /* d_: on the device */

__global__ static void axxat_naive(size_t n, const float *a, const float *x, float *y)
{
    size_t e = (size_t)blockIdx.x * blockDim.x + threadIdx.x; /* elements of Y, row by row */

    if (e >= n * n)
        return; /* the last block may reach past the end */

    size_t i = e / n, j = e % n;
    float sum = 0;

    for (size_t l = 0; l < n; l++)
        sum += a[i * n + l] * x[l * n + j] + x[i * n + l] * a[j * n + l];
    y[e] = sum;
}

static void prepare(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;

    CUDA(cudaMalloc(&d_a, p->n * p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_x, p->n * p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_y, p->n * p->n * sizeof(float)));
}

static void upload(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;

    CUDA(cudaMemcpy(d_a, p->a, p->n * p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_x, p->x, p->n * p->n * sizeof(float), cudaMemcpyHostToDevice));
}

static void run(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;
    size_t blocks = (p->n * p->n + threads - 1) / threads;

    if (blocks == 0)
        return; /* a launch of no blocks is an error */
    axxat_naive<<<(unsigned)blocks, threads>>>(p->n, d_a, d_x, d_y);
    CUDA(cudaGetLastError()); /* a bad launch is reported here, not by the next copy */
}

static void download(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;

    CUDA(cudaMemcpy(p->y, d_y, p->n * p->n * sizeof(float), cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_y));
}

VARIANT(.idea = "one thread per element of Y, all spelled out",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
