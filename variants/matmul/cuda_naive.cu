/*
 * matmul / cuda_naive
 *
 * Idea     One GPU thread per element of C.  This file spells out everything that it takes: memory
 *          on the device, copies there and back, the launch.  Later variants share its host side.
 * Against  cpu_naive: one thread for all elements.
 * Expect   Bound by loads: two for each multiply-add.  The caches serve nearly all of them, at a
 *          fraction of the rate at which the device multiplies.  Below some hundred rows there are
 *          too few threads to keep the device busy.
 * Try      i = e % m and j = e / m: now neighbouring threads read A k elements apart and write C n
 *          elements apart.
 * Level    1
 * Read     nothing else
 */
#include "common/cuda.h"
#include "common/matmul.h"
#include "common/variant.h"

static const int threads = 256; /* of a block; any multiple of 32, a warp, from 128 on will do */

static float *d_a, *d_b, *d_c; /* d_: on the device */

__global__ static void matmul_naive(size_t m, size_t n, size_t k, const float *a, const float *b,
                                    float *c)
{
    size_t e = (size_t)blockIdx.x * blockDim.x + threadIdx.x; /* elements of C, row by row */

    if (e >= m * n)
        return; /* the last block may reach past the end */

    size_t i = e / n, j = e % n;
    float sum = 0;

    /* At each step the threads of a warp read one element of A and 32 neighbours of B. */
    for (size_t l = 0; l < k; l++)
        sum += a[i * k + l] * b[l * n + j];
    c[e] = sum;
}

static void prepare(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    CUDA(cudaMalloc(&d_a, p->m * p->k * sizeof(float)));
    CUDA(cudaMalloc(&d_b, p->k * p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_c, p->m * p->n * sizeof(float)));
}

static void upload(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    CUDA(cudaMemcpy(d_a, p->a, p->m * p->k * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_b, p->b, p->k * p->n * sizeof(float), cudaMemcpyHostToDevice));
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    size_t blocks = (p->m * p->n + threads - 1) / threads;

    if (blocks == 0)
        return; /* a launch of no blocks is an error */
    matmul_naive<<<(unsigned)blocks, threads>>>(p->m, p->n, p->k, d_a, d_b, d_c);
    CUDA(cudaGetLastError()); /* a bad launch is reported here, not by the next copy */
}

static void download(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    CUDA(cudaMemcpy(p->c, d_c, p->m * p->n * sizeof(float), cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_b));
    CUDA(cudaFree(d_c));
}

VARIANT(.idea = "one thread per element of C, all spelled out",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
