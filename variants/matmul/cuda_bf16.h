/*
 * Rounds matrices of float32 to bfloat16, to nearest, for cuda_tensor_bf16 and cuda_cublas_bf16, so that it costs
 * both the same.
 */
#ifndef RUNGS_MATMUL_CUDA_BF16_H
#define RUNGS_MATMUL_CUDA_BF16_H

#include <cuda_bf16.h>

#include "common/cuda.h"
#include "common/matmul.h"

static __nv_bfloat16 *d_a_short, *d_b_short;

/* Returns the distance of rows in elements: a multiple of 16 bytes, which the copy engine needs. */
static size_t short_stride(size_t columns)
{
    return (columns + 7) / 8 * 8;
}

static void prepare_short(const struct matmul *p)
{
    CUDA(cudaMalloc(&d_a_short, p->m * short_stride(p->k) * sizeof *d_a_short));
    CUDA(cudaMalloc(&d_b_short, p->k * short_stride(p->n) * sizeof *d_b_short));
}

static void release_short(void)
{
    CUDA(cudaFree(d_a_short));
    CUDA(cudaFree(d_b_short));
}

enum { SHORTEN_THREADS = 256 };

/* A block per row; four elements at a time where the number of columns is a multiple of 4. */
__global__ static void shorten(size_t columns, size_t stride, const float *from, __nv_bfloat16 *to)
{
    const float *row = from + blockIdx.x * columns;
    __nv_bfloat162 *out = (__nv_bfloat162 *)(to + blockIdx.x * stride);

    if (columns % 4 == 0) {
#pragma unroll 4
        for (size_t four = threadIdx.x; four < columns / 4; four += SHORTEN_THREADS) {
            const float4 v = ((const float4 *)row)[four];
            __nv_bfloat162 both[2] = {__floats2bfloat162_rn(v.x, v.y),
                                      __floats2bfloat162_rn(v.z, v.w)};

            ((uint2 *)out)[four] = *(const uint2 *)both;
        }
        return;
    }
    for (size_t j = threadIdx.x; j < columns; j += SHORTEN_THREADS)
        ((__nv_bfloat16 *)out)[j] = __float2bfloat16_rn(row[j]);
}

/* Rounds A and B; neither may be empty. */
static void shorten_both(const struct matmul *p, const float *a, const float *b)
{
    shorten<<<(unsigned)p->m, SHORTEN_THREADS>>>(p->k, short_stride(p->k), a, d_a_short);
    shorten<<<(unsigned)p->k, SHORTEN_THREADS>>>(p->n, short_stride(p->n), b, d_b_short);
    CUDA(cudaGetLastError());
}

#endif
