/*
 * For cuda_topk_tensor and cuda_topk_wgmma: what the sweeps of mma.h and hopper.h keep of each row when k
 * neighbours are asked for.  The functions are those that cuda_halves.h has for nearest_sweep.
 */
#ifndef RUNGS_KNN_CUDA_TOPK_HALVES_H
#define RUNGS_KNN_CUDA_TOPK_HALVES_H

#include "cuda_halves.h"      /* near_score, near_window, far_window */
#include "cuda_topk_select.h" /* topk_sweep, last_four, scores_of; after the sweep, topk_select */

/* The tile of a thread in a chunk.  Its tiles of TURN chunks are neighbours, because it writes their scores
   together. */
__device__ static unsigned tile_of(topk_sweep, unsigned chunk, unsigned quarter)
{
    return chunk / TURN * (TURN * QUARTERS) + quarter * TURN + chunk % TURN;
}

/* Called after each chunk: every fourth time, writes four scores of each row. */
template <int ROWS, int EACH>
__device__ static void after_chunk(topk_sweep s, size_t first, unsigned chunk,
                                   const last_four (&tiles)[EACH])
{
    unsigned long long *const least =
        scores_of(s, first) + (chunk / TURN * QUARTERS + threadIdx.x % QUARTERS) * WARP;

    if (chunk % TURN != TURN - 1)
        return;
#pragma unroll
    for (int r = 0; r < EACH; r++) {
        const unsigned below = r / 2 * ROWS + r % 2 * 8; /* first % WARP is small: no carry */

        least[below / WARP * (size_t)(s.chunks * WARP) + below % WARP] = tiles[r].four;
    }
}

template <int ROWS, int EACH>
__device__ static void after_sweep(topk_sweep, points, size_t, const last_four (&)[EACH])
{
}

template <unsigned OWN> __device__ static void answer_all(topk_sweep, points, size_t, float4 *)
{
}

static void topk_select_halves(topk_sweep s, points obs, cudaStream_t stream)
{
    topk_select(s, obs, {near_score, near_window, far_window}, stream);
}

#endif
