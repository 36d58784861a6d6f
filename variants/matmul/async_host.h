/* The host's half of cuda_async, cuda_stream_k and cuda_any_shape: copies of B with rows that begin at multiples of 16 bytes. */
#ifndef RUNGS_MATMUL_ASYNC_HOST_H
#define RUNGS_MATMUL_ASYNC_HOST_H

#include "async.h"        /* product */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_b, d_c */

/* Copies B into rows that begin at multiples of 16 bytes; a block per row. */
__global__ static void matmul_widen(size_t n, size_t row, const float *from, float *to)
{
    for (size_t j = threadIdx.x; j < row; j += blockDim.x)
        to[blockIdx.x * row + j] = j < n ? from[blockIdx.x * n + j] : 0;
}

static float *d_wide; /* [k][4 * b_quads]: that copy of B; NULL where B needs none */

static void prepare_wide(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    prepare(problem);
    d_wide = NULL;
    if (p->n % 4 != 0)
        CUDA(cudaMalloc(&d_wide, p->k * ((p->n + 3) / 4) * sizeof(float4)));
}

/* Returns the problem on the device; copies B to d_wide where n is no multiple of 4. */
static struct product product_of(const struct matmul *p)
{
    const unsigned b_quads = (unsigned)((p->n + 3) / 4);

    if (p->n % 4 != 0 && p->k > 0)
        matmul_widen<<<(unsigned)p->k, 256>>>(p->n, (size_t)4 * b_quads, d_b, d_wide);
    return {p->m, p->n, p->k, d_a, p->n % 4 != 0 ? d_wide : d_b, b_quads, d_c};
}

static void release_wide(void)
{
    CUDA(cudaFree(d_wide));
    d_wide = NULL;
    release();
}

#endif
