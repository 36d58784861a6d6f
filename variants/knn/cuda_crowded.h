/*
 * What cuda_several.h leaves: observations with so many candidates that there is no room for them.
 * A warp goes through all tiles that reach into the window, with a list of the nearest so far, a
 * lane each, and as the list fills, the limit shrinks.
 */
#ifndef RUNGS_KNN_CUDA_CROWDED_H
#define RUNGS_KNN_CUDA_CROWDED_H

#include <string.h>

#include "cuda_minima.h" /* limit_of, reaching */

__device__ static place place_of(sweep s, size_t j)
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

struct ranked { /* the nearest so far: lane r has number r */
    double far;
    unsigned who;
    float score;
};

/* A warp together: another one */
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

/* A warp together: those of a tile who score at most `limit`, by float64.  Returns the limit that
   holds from now on: of k references the scores are at most that of the worst on the list. */
__device__ static float take_tile(sweep s, ranked *mine, unsigned tile, float4 at, float limit,
                                  float lat, float lon, double cosine)
{
    const unsigned lane = threadIdx.x % WARP;

#pragma unroll 1
    for (unsigned half = 0; half < PART; half += WARP) {
        const unsigned j = tile * PART + half + lane;
        const float its = score_at(at, unit_of(s, j));
        const double far =
            its <= limit ? haversine(lat, lon, cosine, place_of(s, j))
                         : INFINITY;
        const double worst = __shfl_sync(all_lanes, mine->far, s.k - 1);
        unsigned all = __ballot_sync(all_lanes, its <= limit && far <= worst);

        for (; all != 0; all &= all - 1) {
            const int whose = __ffs((int)all) - 1;

            insert(mine, __shfl_sync(all_lanes, far, whose), tile * PART + half + whose,
                   __shfl_sync(all_lanes, its, whose));
        }
    }

    float worst = lane < s.k ? mine->score : 0;

    for (unsigned step = WARP / 2; step > 0; step /= 2)
        worst = fmaxf(worst, __shfl_xor_sync(all_lanes, worst, step));
    return fminf(limit, worst + window);
}

/* A warp each: observations with so many candidates that they are looked at one by one */
__global__ static void __launch_bounds__(ANSWER) knn_crowded(sweep s, points obs, windows w)
{
    const unsigned lane = threadIdx.x % WARP, warps = gridDim.x * (ANSWER / WARP);

    for (unsigned d = (blockIdx.x * ANSWER + threadIdx.x) / WARP; d < s.doubt[0]; d += warps) {
        const size_t i = s.doubt[1 + d];
        const float lat = obs.lat[i], lon = obs.lon[i];
        const double cosine = cos((double)lat);
        const float4 at = unit_vector(lat, lon);
        float limit = limit_of<MOST>(s, i, w);
        ranked mine = {INFINITY, 0xffffffff, 8};

        for (unsigned piece = 0; piece < s.chunks; piece += PIECES_OF_REACH)
            for (unsigned reach = reaching(scores_of(s, i) + piece * WARP, s.chunks - piece, limit);
                 reach != 0;)
                limit = take_tile(s, &mine, piece * TURN + take_one(&reach), at, limit, lat, lon,
                                  cosine);
        if (lane < s.k) {
            obs.index[i * s.k + lane] = mine.who;
            obs.distance[i * s.k + lane] = (float)mine.far;
        }
    }
}

#endif
