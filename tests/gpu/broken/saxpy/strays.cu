/* Reads an element past the end.  A GPU does not notice; memcheck and the simulator must. */
/* expected: memcheck */
#include "common/cuda.h"
#include "common/saxpy.h"
#include "common/variant.h"

__global__ static void shift(size_t n, const float *x, float *z)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        z[i] = x[i + 1];
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t bytes = p->n * sizeof(float);
    float *d_x, *d_z;

    CUDA(cudaMalloc(&d_x, bytes));
    CUDA(cudaMalloc(&d_z, bytes));
    CUDA(cudaMemcpy(d_x, p->x, bytes, cudaMemcpyHostToDevice));
    shift<<<(unsigned)(p->n / 256 + 1), 256>>>(p->n, d_x, d_z);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(p->z, d_z, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_z));
}

VARIANT(.idea = "reads past the end", .device = &device_gpu, .run = run)
