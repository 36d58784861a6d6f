/*
 * The second half of cuda_tiled: answers each observation from the best score of every tile.
 * A lane works for one observation, but a warp reads references together, since neighbouring lanes then
 * read neighbouring addresses.
 */
#ifndef RUNGS_KNN_CUDA_TILES_H
#define RUNGS_KNN_CUDA_TILES_H

#include "cuda_exact.h" /* haversine, window, WARP, all_lanes */

enum { TILE = 128 }; /* references in a tile */
enum { AHEAD = 8 };  /* tiles are padded to a multiple of this: loads that a thread has in flight */
enum { MOST = 32 };  /* neighbours at most: each thread keeps a list of that length */

struct references {
    const float *lat, *lon;
    const float4 *unit; /* unit vectors, AHEAD tiles or a multiple.  A float4 is one load of 16 bytes;
                           w is unused.  Padding is NaN, and so is its score */
};

__device__ static float dot(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* The k-th largest of the best scores of `tiles` tiles, `stride` apart; if there are fewer tiles
   than k, the score below any that tiles without references have. */
__device__ static float kth_largest(const float *best, size_t tiles, size_t stride, size_t k)
{
    float top[MOST], kth = -2;

    for (size_t r = 0; r < k; r++)
        top[r] = -2;
    for (size_t tile = 0; tile < tiles; tile += AHEAD) {
        float score[AHEAD], largest = -2;

#pragma unroll
        for (unsigned t = 0; t < AHEAD; t++) {
            score[t] = best[(tile + t) * stride];
            largest = fmaxf(largest, score[t]);
        }
        if (!(largest > kth))
            continue;
#pragma unroll
        for (unsigned t = 0; t < AHEAD; t++) {
            size_t place = k - 1;

            if (!(score[t] > kth))
                continue;
            for (; place > 0 && score[t] > top[place - 1]; place--)
                top[place] = top[place - 1];
            top[place] = score[t];
            kth = top[k - 1];
        }
    }
    return kth;
}

/* Which of AHEAD tiles have best scores in the window: a bit each. */
__device__ static unsigned reaching(const float *best, size_t stride, float least)
{
    unsigned reach = 0;

#pragma unroll
    for (unsigned t = 0; t < AHEAD; t++)
        reach |= (unsigned)(best[t * stride] >= least) << t;
    return reach;
}

/* Which of the 32 references from `first` on have scores in the window: a bit each.  Each lane that
   asks does so for an observation of its own; the warp answers one after another, with a
   reference a lane: neighbours in memory are read by neighbours. */
__device__ static unsigned candidates(bool asks, const float4 *unit, size_t first, float4 at,
                                      float least)
{
    const unsigned lane = threadIdx.x % WARP;
    unsigned mine = 0;

    for (unsigned left = __ballot_sync(all_lanes, asks); left != 0; left &= left - 1) {
        const int who = __ffs((int)left) - 1;
        const size_t from = __shfl_sync(all_lanes, first, who);
        const float4 theirs = make_float4(__shfl_sync(all_lanes, at.x, who),
                                          __shfl_sync(all_lanes, at.y, who),
                                          __shfl_sync(all_lanes, at.z, who), 0);
        const float bar = __shfl_sync(all_lanes, least, who);
        const unsigned found = __ballot_sync(all_lanes, dot(theirs, unit[from + lane]) >= bar);

        if (lane == (unsigned)who)
            mine = found;
    }
    return mine;
}

/* Answers the observation at (lat, lon), whose unit vector is `at`, from the best scores of so many
   tiles: best[0], best[stride], ...  Only references of tiles that reach into the window are looked
   at again, and only those inside get the haversine formula, in float64.  Whole warps must come
   here, each lane with an observation; a lane without one has no tiles. */
[[maybe_unused]] __device__ static void
answer_by_tiles(struct references ref, size_t k, float lat, float lon, float4 at, const float *best,
                size_t tiles, size_t stride, uint32_t *index, float *distance)
{
    const float least = kth_largest(best, tiles, stride, k) - window;
    double nearest[MOST], farthest = INFINITY;
    uint32_t who[MOST];
    size_t tile = 0;
    unsigned reach = 0;

    for (size_t r = 0; r < k; r++)
        nearest[r] = INFINITY;
    for (;;) {
        /* First every lane finds its next tile, then all of them go through theirs: the lanes of a
           warp go together or wait for each other. */
        for (; reach == 0 && tile < tiles; tile += AHEAD)
            reach = reaching(best + tile * stride, stride, least);
        if (!__any_sync(all_lanes, reach != 0))
            break;

        /* `tile` is AHEAD past the tile of bit 0.  Lanes that have none come along: no one may
           be missing where a warp works together. */
        const size_t first = (tile - AHEAD + (size_t)__ffs((int)reach) - 1) * TILE;

#pragma unroll 1
        for (unsigned row = 0; row < TILE; row += WARP) {
            unsigned near = candidates(reach != 0, ref.unit, first + row, at, least);

            for (; near != 0; near &= near - 1) {
                const size_t candidate = first + row + (size_t)__ffs((int)near) - 1;
                const double d = haversine(lat, lon, ref.lat[candidate], ref.lon[candidate]);
                size_t place = k - 1;

                if (!(d < farthest))
                    continue;
                for (; place > 0 && d < nearest[place - 1]; place--) {
                    nearest[place] = nearest[place - 1];
                    who[place] = who[place - 1];
                }
                nearest[place] = d;
                who[place] = (uint32_t)candidate;
                farthest = nearest[k - 1];
            }
        }
        reach &= reach - 1;
    }
    for (size_t r = 0; tiles > 0 && r < k; r++) {
        index[r] = who[r];
        distance[r] = (float)nearest[r];
    }
}

#endif
