/*
 * The host side of cuda_naive, word for word, for variants that differ from it only in the kernel: memory on the
 * device, and copies there and back.
 */
#ifndef RUNGS_AXXAT_CUDA_BUFFERS_H
#define RUNGS_AXXAT_CUDA_BUFFERS_H

#include "common/axxat.h"
#include "common/cuda.h"

static float *d_a, *d_x, *d_y; /* d_: on the device */

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

#endif
