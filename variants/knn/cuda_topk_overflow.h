/*
 * For cuda_topk_select.h: observations with more candidates than it has room for.  A warp goes through all
 * tiles within the limit, with a sorted list of the nearest so far, an entry in each lane.  As the list
 * fills, the limit shrinks.
 */
#ifndef RUNGS_KNN_CUDA_TOPK_OVERFLOW_H
#define RUNGS_KNN_CUDA_TOPK_OVERFLOW_H

#include <string.h>

#include "cuda_topk_limit.h" /* limit_of, reaching, take_one */

enum { SELECT = 128, OVERFLOW = 2048 }; /* threads in a block; blocks of knn_topk_overflow */

__device__ static place place_of(topk_sweep s, size_t j)
{
    const uint4 bits = *(const uint4 *)&s.places[j];
    place at;

    memcpy(&at, &bits, sizeof at);
    return at;
}

__device__ static double haversine(double lat, double lon, double cosine, place to)
{
    return haversine(lat, lon, cosine, to.lat, to.lon, to.cosine);
}

struct ranked { /* the nearest so far: lane r has number r, from 0 */
    double far;
    unsigned who;
    float score;
};

/* Inserts a reference into the list.  A whole warp calls this. */
__device__ static void insert(ranked *mine, double far, unsigned who, float score)
{
    const bool before = mine->far < far || (mine->far == far && mine->who < who);
    const unsigned place = __popc(__ballot_sync(all_lanes, before)), lane = threadIdx.x % WARP;
    const ranked last = {__shfl_up_sync(all_lanes, mine->far, 1),
                         __shfl_up_sync(all_lanes, mine->who, 1),
                         __shfl_up_sync(all_lanes, mine->score, 1)};

    if (lane == place)
        *mine = {far, who, score};
    else if (lane > place)
        *mine = last;
}

/* Inserts those references of a tile that score at most `limit`, by float64.  Returns the new limit: the
   worst score on the list, which k references reach, and the window.  A whole warp calls this. */
__device__ static float insert_tile(topk_sweep s, ranked *mine, unsigned tile, float4 at, float limit,
                                    float lat, float lon, double cosine)
{
    const unsigned lane = threadIdx.x % WARP;

#pragma unroll 1
    for (unsigned half = 0; half < TILE; half += WARP) {
        const unsigned j = tile * TILE + half + lane;
        const float its = score_at(at, unit_of(s, j));
        const double far =
            its <= limit ? haversine(lat, lon, cosine, place_of(s, j))
                         : INFINITY;
        const double worst = __shfl_sync(all_lanes, mine->far, s.k - 1);
        unsigned all = __ballot_sync(all_lanes, its <= limit && far <= worst);

        for (; all != 0; all &= all - 1) {
            const int whose = __ffs((int)all) - 1;

            insert(mine, __shfl_sync(all_lanes, far, whose), tile * TILE + half + whose,
                   __shfl_sync(all_lanes, its, whose));
        }
    }

    float worst = lane < s.k ? mine->score : 0;

    for (unsigned step = WARP / 2; step > 0; step /= 2)
        worst = fmaxf(worst, __shfl_xor_sync(all_lanes, worst, step));
    return fminf(limit, worst + window);
}

__global__ static void __launch_bounds__(SELECT) knn_topk_overflow(topk_sweep s, points obs, windows w)
{
    const unsigned lane = threadIdx.x % WARP, warps = gridDim.x * (SELECT / WARP);

    for (unsigned d = (blockIdx.x * SELECT + threadIdx.x) / WARP; d < s.crowded[0]; d += warps) {
        const size_t i = s.crowded[1 + d];
        const float lat = obs.lat[i], lon = obs.lon[i];
        const double cosine = cos((double)lat);
        const float4 at = unit_vector(lat, lon);
        float limit = limit_of<MOST>(s, i, w);
        ranked mine = {INFINITY, 0xffffffff, 8};

        for (unsigned piece = 0; piece < s.chunks; piece += PIECES_OF_REACH)
            for (unsigned reach = reaching(scores_of(s, i) + piece * WARP, s.chunks - piece, limit);
                 reach != 0;)
                limit = insert_tile(s, &mine, piece * TURN + take_one(&reach), at, limit, lat, lon,
                                  cosine);
        if (lane < s.k) {
            obs.index[i * s.k + lane] = mine.who;
            obs.distance[i * s.k + lane] = (float)mine.far;
        }
    }
}

#endif
