/* compact: a kernel of one block that adds up the counts of tiles. */
#ifndef RUNGS_COMPACT_CUDA_ADD_UP_H
#define RUNGS_COMPACT_CUDA_ADD_UP_H

#include <stdint.h>

enum { ADDERS = 1024 };

/* Returns the sum of the values of this lane and of those before it. */
__device__ static inline uint64_t warp_sum_up_to(uint64_t value)
{
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const uint64_t left = __shfl_up_sync(~0u, value, distance);
        value += threadIdx.x % 32 >= distance ? left : 0;
    }
    return value;
}

/* The same for a block of ADDERS threads. */
__device__ static inline uint64_t block_sum_up_to(uint64_t value)
{
    __shared__ uint64_t of_warp[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const uint64_t sum = warp_sum_up_to(value);

    if (lane == 31)
        of_warp[warp] = sum;
    __syncthreads();
    if (warp == 0)
        of_warp[lane] = warp_sum_up_to(of_warp[lane]);
    __syncthreads();
    return sum + (warp > 0 ? of_warp[warp - 1] : 0);
}

/* Replaces each tile's count by the sum of those before it, and writes the sum of all.  Launch one block. */
__global__ static void add_up(size_t tiles, uint64_t *places, uint64_t *count)
{
    const size_t share = (tiles + ADDERS - 1) / ADDERS, begin = threadIdx.x * share,
                 end = begin + share < tiles ? begin + share : tiles;
    uint64_t sum = 0;

    for (size_t t = begin; t < end; t++)
        sum += places[t];
    const uint64_t up_to = block_sum_up_to(sum);
    uint64_t before = up_to - sum;

    for (size_t t = begin; t < end; t++) {
        const uint64_t own = places[t];
        places[t] = before;
        before += own;
    }
    if (threadIdx.x == ADDERS - 1)
        *count = up_to;
}

#endif
