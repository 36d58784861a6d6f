/* map: the host side of cuda_naive, for variants that differ from it only in the kernel. */
#ifndef RUNGS_MAP_CUDA_BUFFERS_H
#define RUNGS_MAP_CUDA_BUFFERS_H

#include "common/variant.h"
#include "cuda_functions.h"

static void *d_x, *d_y, *d_z; /* on the device; cudaMalloc aligns them to 256 bytes */

static void prepare(const void *problem)
{
    const struct map *p = (const struct map *)problem;
    const struct arrays host = arrays_of(p);
    const size_t bytes = p->n * host.element;

    CUDA(cudaMalloc(&d_x, bytes));
    CUDA(cudaMalloc(&d_y, host.y != NULL ? bytes : 0));
    CUDA(cudaMalloc(&d_z, bytes));
}

static void upload(const void *problem)
{
    const struct map *p = (const struct map *)problem;
    const struct arrays host = arrays_of(p);

    CUDA(cudaMemcpy(d_x, host.x, p->n * host.element, cudaMemcpyHostToDevice));
    if (host.y != NULL)
        CUDA(cudaMemcpy(d_y, host.y, p->n * host.element, cudaMemcpyHostToDevice));
}

static void download(const void *problem)
{
    const struct map *p = (const struct map *)problem;
    const struct arrays host = arrays_of(p);

    CUDA(cudaMemcpy(host.z, d_z, p->n * host.element, cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_y));
    CUDA(cudaFree(d_z));
}

#endif
