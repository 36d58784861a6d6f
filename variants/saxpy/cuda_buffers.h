/* saxpy: the host side of cuda_naive, word for word, for variants that differ from it only in the kernel. */
#ifndef RUNGS_SAXPY_CUDA_BUFFERS_H
#define RUNGS_SAXPY_CUDA_BUFFERS_H

#include "common/cuda.h"
#include "common/saxpy.h"
#include "common/variant.h"

static float *d_x, *d_y, *d_z; /* on the device; cudaMalloc aligns them to 256 bytes */

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

#endif
