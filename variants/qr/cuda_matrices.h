/* qr: A, Q and R on the device, and the copies there and back. */
#ifndef RUNGS_QR_CUDA_MATRICES_H
#define RUNGS_QR_CUDA_MATRICES_H

#include "common/cuda.h"
#include "common/qr.h"

static float *d_a, *d_q, *d_r; /* d_: on the device */

[[maybe_unused]] static void prepare(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    CUDA(cudaMalloc(&d_a, p->m * p->n * sizeof *d_a));
    CUDA(cudaMalloc(&d_q, p->m * p->n * sizeof *d_q));
    CUDA(cudaMalloc(&d_r, p->n * p->n * sizeof *d_r));
}

[[maybe_unused]] static void upload(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    CUDA(cudaMemcpy(d_a, p->a, p->m * p->n * sizeof *d_a, cudaMemcpyHostToDevice));
}

[[maybe_unused]] static void download(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    CUDA(cudaMemcpy(p->q, d_q, p->m * p->n * sizeof *d_q, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(p->r, d_r, p->n * p->n * sizeof *d_r, cudaMemcpyDeviceToHost));
}

[[maybe_unused]] static void release(void)
{
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_q));
    CUDA(cudaFree(d_r));
}

#endif
