/* Warps read what others have written to shared memory, without a barrier. */
/* expected: racecheck */
#include "common/cuda.h"
#include "common/saxpy.h"
#include "common/variant.h"

enum { THREADS = 256 };

__global__ static void reverse(size_t n, const float *x, float *z)
{
    __shared__ float tile[THREADS];
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    tile[threadIdx.x] = i < n ? x[i] : 0;
    if (i < n)
        z[i] = tile[THREADS - 1 - threadIdx.x];
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t bytes = p->n * sizeof(float);
    float *d_x, *d_z;

    CUDA(cudaMalloc(&d_x, bytes));
    CUDA(cudaMalloc(&d_z, bytes));
    CUDA(cudaMemcpy(d_x, p->x, bytes, cudaMemcpyHostToDevice));
    reverse<<<(unsigned)(p->n / THREADS + 1), THREADS>>>(p->n, d_x, d_z);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(p->z, d_z, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_z));
}

VARIANT(.idea = "no barrier", .device = &device_gpu, .run = run)
