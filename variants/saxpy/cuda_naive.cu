/*
 * saxpy / cuda_naive
 *
 * Idea     One thread an element, on the GPU.  All that it takes stands in this file: memory on the
 *          device, copies there and back, the launch.  Later variants share the host side with it.
 * Against  cpu_naive: one thread for all elements.
 * Expect   run: bound by the device's memory, 12 bytes an element.  End to end: bound by the bus,
 *          which carries the same 12 bytes far more slowly.  Below some ten thousand elements,
 *          launching costs more than computing.
 * Try      threads = 32, 256, 1024; and then n = 2^16 against n = 2^28: what share is the kernel's?
 */
#include "common/cuda.h"
#include "common/saxpy.h"
#include "common/variant.h"

static const int threads = 256; /* of a block; any multiple of a warp's 32 from 128 on does */

static float *d_x, *d_y, *d_z; /* on the device, as all that begins with d_ */

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
    CUDA(cudaGetLastError()); /* a bad launch is reported here, not at the next copy */
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

VARIANT(.idea = "one thread an element, all spelled out",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
