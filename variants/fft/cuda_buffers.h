/*
 * The host side of cuda_naive.cu, in parts: arrays on the device, copies there and back, and tables of roots.  A
 * variant's prepare and release add what else it needs.
 */
#ifndef RUNGS_FFT_CUDA_BUFFERS_H
#define RUNGS_FFT_CUDA_BUFFERS_H

#include "common/cuda.h"
#include "common/fft.h"
#include "cuda_pass.h" /* root */

static float2 *d_x, *d_X; /* [batch][n] d_: on the device */

static void buffers_prepare(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    CUDA(cudaMalloc(&d_x, p->batch * p->n * sizeof *d_x));
    CUDA(cudaMalloc(&d_X, p->batch * p->n * sizeof *d_X));
}

static inline float2 *roots(size_t n) /* on the device: [n] exp(-2 pi i k / n) */
{
    float2 *w = (float2 *)malloc(n * sizeof *w), *d_roots;

    for (size_t k = 0; k < n; k++)
        w[k] = root(k, n);
    CUDA(cudaMalloc(&d_roots, n * sizeof *d_roots));
    CUDA(cudaMemcpy(d_roots, w, n * sizeof *d_roots, cudaMemcpyHostToDevice));
    free(w);
    return d_roots;
}

static void upload(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    CUDA(cudaMemcpy(d_x, p->x, p->batch * p->n * sizeof *d_x, cudaMemcpyHostToDevice));
}

static void download(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    CUDA(cudaMemcpy(p->X, d_X, p->batch * p->n * sizeof *d_X, cudaMemcpyDeviceToHost));
}

static void buffers_release(void)
{
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_X));
}

#endif
