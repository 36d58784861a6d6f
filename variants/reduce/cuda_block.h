/* reduce: how a block adds up the totals of its threads by shuffles. */
#ifndef RUNGS_REDUCE_CUDA_BLOCK_H
#define RUNGS_REDUCE_CUDA_BLOCK_H

#include "cuda_buffers.h"

/* Adds up the totals of a warp's lanes.  Lane 0 returns those of the warp. */
__device__ static inline totals warp_totals(totals mine)
{
    for (int half = 16; half > 0; half /= 2) {
        mine.sum += __shfl_down_sync(~0u, mine.sum, half);
        mine.squares += __shfl_down_sync(~0u, mine.squares, half);
    }
    return mine;
}

/* The same for a block of whole warps.  Thread 0 returns the block's totals. */
__device__ static inline totals block_totals(totals mine)
{
    __shared__ totals of_warp[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;

    mine = warp_totals(mine);
    if (lane == 0)
        of_warp[warp] = mine;
    __syncthreads();
    if (warp == 0) {
        mine = lane < warps ? of_warp[lane] : totals{0.0, 0.0};
        mine = warp_totals(mine);
    }
    return mine;
}

/* Sixteen bytes per load, QUADS of them issued before the first is used.  Block b takes tiles b, b + blocks, ... */
template <int THREADS, int QUADS>
__device__ static inline totals thread_totals(size_t n, const float *x)
{
    const size_t TILE = (size_t)THREADS * QUADS * 4, whole = n / TILE * TILE;
    totals mine = {0.0, 0.0};

    for (size_t first = blockIdx.x * TILE; first < whole; first += gridDim.x * TILE) {
        const float4 *x4 = (const float4 *)(x + first);
        float4 quad[QUADS];

#pragma unroll
        for (int q = 0; q < QUADS; q++)
            quad[q] = x4[q * THREADS + threadIdx.x];
#pragma unroll
        for (int q = 0; q < QUADS; q++) {
            add(&mine, quad[q].x);
            add(&mine, quad[q].y);
            add(&mine, quad[q].z);
            add(&mine, quad[q].w);
        }
    }
    /* Less than a tile is left; all blocks share it. */
    for (size_t i = whole + (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += (size_t)gridDim.x * THREADS)
        add(&mine, x[i]);
    return mine;
}

#endif
