/*
 * saxpy / cuda_naive
 *
 * Idea     One GPU thread per element.  This file spells out everything that it takes: memory on
 *          the device, copies there and back, the launch.  Later variants share its host side.
 * Against  cpu_naive: one thread for all elements.
 * Expect   run: 12 bytes per element, below the rate of the device's memory, because too few loads
 *          are in flight: 3.4 of 4.4 TB/s on an H200 (2026-11-21).  End to end: bound by the bus,
 *          which carries the same 12 bytes far more slowly.  Below some ten thousand elements, the
 *          launch costs more than the sums.
 * Try      threads = 32, 256, 1024.  Then n = 2^16 and n = 2^28: what share of the time is the
 *          kernel's?
 * Level    1
 * Read     nothing else
 */
#include "common/cuda.h"
#include "common/saxpy.h"
#include "common/variant.h"

static const int threads = 256; /* of a block; any multiple of 32, a warp, from 128 on will do */

static float *d_x, *d_y, *d_z; /* d_: on the device */

__global__ static void saxpy_naive(size_t n, float a, const float *x, const float *y, float *z)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    /* The last block may reach past the end. */
    if (i < n)
        z[i] = a * x[i] + y[i];
}

static void prepare(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t bytes = p->n * sizeof(float);

    CUDA(cudaMalloc(&d_x, bytes));
    CUDA(cudaMalloc(&d_y, bytes));
    CUDA(cudaMalloc(&d_z, bytes));
}

static void upload(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t bytes = p->n * sizeof(float);

    CUDA(cudaMemcpy(d_x, p->x, bytes, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_y, p->y, bytes, cudaMemcpyHostToDevice));
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t blocks = (p->n + threads - 1) / threads;

    if (blocks == 0)
        return; /* a launch of no blocks is an error */
    saxpy_naive<<<(unsigned)blocks, threads>>>(p->n, p->a, d_x, d_y, d_z);
    CUDA(cudaGetLastError()); /* a bad launch is reported here, not by the next copy */
}

static void download(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

    CUDA(cudaMemcpy(p->z, d_z, p->n * sizeof(float), cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_y));
    CUDA(cudaFree(d_z));
}

VARIANT(.idea = "one thread per element, all spelled out",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
