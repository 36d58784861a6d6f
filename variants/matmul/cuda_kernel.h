/*
 * The kernel of cuda_shared as a function, for the variants whose idea is the host side: cuda_managed,
 * cuda_unified, cuda_multi and cuda_streams.  cuda_shared explains it.
 */
#ifndef RUNGS_MATMUL_CUDA_KERNEL_H
#define RUNGS_MATMUL_CUDA_KERNEL_H

#include <stddef.h>

/* A block is TILE x STEP threads; each computes ROWS elements, STEP rows apart. */
enum { TILE = 32, ROWS = 4, STEP = TILE / ROWS };

/* Computes this block's tile of C; tiles are counted row by row. */
__device__ static void multiply_tile(size_t m, size_t n, size_t k, const float *a, const float *b,
                                     float *c)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    const size_t across = (n + TILE - 1) / TILE;
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const size_t i = blockIdx.x / across * TILE + y;
    const size_t j = blockIdx.x % across * TILE + x;
    float sum[ROWS] = {};

    for (size_t l = 0; l < k; l += TILE) {
        for (unsigned r = 0; r < TILE; r += STEP) {
            a_tile[y + r][x] = i + r < m && l + x < k ? a[(i + r) * k + l + x] : 0;
            b_tile[y + r][x] = l + y + r < k && j < n ? b[(l + y + r) * n + j] : 0;
        }
        __syncthreads();
        for (unsigned t = 0; t < TILE; t++)
            for (unsigned r = 0; r < ROWS; r++)
                sum[r] += a_tile[y + r * STEP][t] * b_tile[t][x];
        __syncthreads();
    }
    for (unsigned r = 0; r < ROWS; r++)
        if (i + r * STEP < m && j < n)
            c[(i + r * STEP) * n + j] = sum[r];
}

#endif
