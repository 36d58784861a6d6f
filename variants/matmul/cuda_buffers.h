/*
 * The host side of cuda_naive, word for word, for variants that differ from it only in the kernel: memory on the
 * device, and copies there and back.
 */
#ifndef RUNGS_MATMUL_CUDA_BUFFERS_H
#define RUNGS_MATMUL_CUDA_BUFFERS_H

#include "common/cuda.h"
#include "common/matmul.h"

static float *d_a, *d_b, *d_c; /* d_: on the device */

static void prepare(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    CUDA(cudaMalloc(&d_a, p->m * p->k * sizeof(float)));
    CUDA(cudaMalloc(&d_b, p->k * p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_c, p->m * p->n * sizeof(float)));
}

[[maybe_unused]] static void upload(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    CUDA(cudaMemcpy(d_a, p->a, p->m * p->k * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_b, p->b, p->k * p->n * sizeof(float), cudaMemcpyHostToDevice));
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

#endif
