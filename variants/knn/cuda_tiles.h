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

/* Which references of a tile may be near enough: a bit each, a word for 32. */
struct candidates {
    unsigned of[TILE / WARP];
};

/* What the squares of chords are compared with (may_be_nearer).  `chord` is that between an observation and the k-th nearest
   reference; or, if that is beyond a right angle, where chords hardly differ, between its antipode and that reference.  Then
   the limit is negative.  Two unit vectors are off by 18u; the rest covers rounding. */
__device__ static float limit_of(float chord, bool beyond)
{
    const float off = chord * 0x1p-20f + 0x1.8p-20f; /* 24u */
    const float end = beyond ? fmaxf(chord - off, 0) : chord + off;

    return copysignf(end * end, beyond ? -1.F : 1.F);
}

__device__ static bool may_be_nearer(float x, float y, float z, float4 point, float limit)
{
    const float dx = x - point.x, dy = y - point.y, dz = z - point.z;

    return copysignf(dx * dx + dy * dy + dz * dz, limit) <= limit; /* false for NaN */
}

/* The references of a tile that may be nearer than a lane's k-th.  Each lane that asks does so for an observation of its own, at
   `from`, or its antipode.  The warp reads a tile once, with WARP references at a time: neighbours in memory are read by
   neighbours.  Then it answers the lanes that ask for this tile one after another. */
__device__ static candidates find_candidates(bool asks, const float4 *unit, unsigned tile, float4 from, float limit)
{
    const unsigned lane = threadIdx.x % WARP;
    candidates mine = {};

    for (unsigned left; (left = __ballot_sync(all_lanes, asks)) != 0;) {
        const unsigned its = __shfl_sync(all_lanes, tile, __ffs((int)left) - 1);
        float4 point[TILE / WARP];

#pragma unroll
        for (unsigned w = 0; w < TILE / WARP; w++)
            point[w] = unit[(size_t)its * TILE + w * WARP + lane];
        for (left = __ballot_sync(all_lanes, asks && tile == its); left != 0; left &= left - 1) {
            const int who = __ffs((int)left) - 1;
            const float x = __shfl_sync(all_lanes, from.x, who), y = __shfl_sync(all_lanes, from.y, who),
                        z = __shfl_sync(all_lanes, from.z, who), its_limit = __shfl_sync(all_lanes, limit, who);

#pragma unroll
            for (unsigned w = 0; w < TILE / WARP; w++) {
                const unsigned near =
                    __ballot_sync(all_lanes, may_be_nearer(x, y, z, point[w], its_limit));

                if (lane == (unsigned)who)
                    mine.of[w] = near;
            }
        }
        asks = asks && tile != its;
    }
    return mine;
}

/* Answers the observation at (lat, lon), whose unit vector is `at`, from the best scores of so many
   tiles: best[0], best[stride], ...  Only references of tiles that reach into the window are looked
   at again.  Where points crowd, these are all, since a cosine hardly tells near points apart.  A chord does: only
   references that may be nearer than the k-th so far get the haversine formula, in float64.  Whole warps
   must come here, each lane with an observation; a lane without one has no tiles. */
[[maybe_unused]] __device__ static void
answer_by_tiles(struct references ref, size_t k, float lat, float lon, float4 at, const float *best,
                size_t tiles, size_t stride, uint32_t *index, float *distance)
{
    const float kth = kth_largest(best, tiles, stride, k), least = kth - window;
    const bool beyond = kth < 0;
    const float side = beyond ? -1 : 1;
    const float4 from = make_float4(side * at.x, side * at.y, side * at.z, 0);
    float limit = limit_of(sqrtf(fmaxf(2 * (1 - side * least) + side * window, 0)), beyond);
    double nearest[MOST], farthest = INFINITY;
    uint32_t who[MOST];
    float lat_of_kth = NAN, lon_of_kth = NAN;
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
        const unsigned its = (unsigned)(tile - AHEAD) + (unsigned)__ffs((int)reach) - 1;
        const candidates found = find_candidates(reach != 0, ref.unit, its, from, limit);

#pragma unroll 1
        for (unsigned w = 0; w < TILE / WARP; w++)
            for (unsigned near = found.of[w]; near != 0; near &= near - 1) {
                const size_t candidate = (size_t)its * TILE + w * WARP + (size_t)__ffs((int)near) - 1;
                const float its_lat = ref.lat[candidate], its_lon = ref.lon[candidate];

                if (its_lat == lat_of_kth && its_lon == lon_of_kth)
                    continue; /* a copy of the k-th is no nearer */
                if (!may_be_nearer(from.x, from.y, from.z, ref.unit[candidate], limit))
                    continue; /* the limit has fallen since */

                const double d = haversine(lat, lon, its_lat, its_lon);
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
                if (farthest < INFINITY) {
                    const float half = (float)farthest / 2;

                    lat_of_kth = ref.lat[who[k - 1]];
                    lon_of_kth = ref.lon[who[k - 1]];
                    limit = fminf(limit, limit_of(2 * (beyond ? cosf(half) : sinf(half)), beyond));
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
