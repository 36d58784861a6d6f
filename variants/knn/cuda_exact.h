/*
 * For CUDA variants that rank by a cheap float32 score and yet name the neighbours that float64 names:
 * exact.h, where the idea is explained, for a device.
 *
 * Error    With u = 2^-24: CUDA's sinf and cosf are off by 2 ulp at most (CUDA C++ Programming
 *          Guide, "Mathematical Functions"), which is 4u relatively; a coordinate, a product of two
 *          of them, by 9u.  Two such vectors put the sum of three products off by 18u (sum |x x'|
 *          <= 1, by Cauchy-Schwarz); evaluating it adds 3u, fused or not, in any order: 21u.  We
 *          use E = 32u.
 * Window   If k scores are at least s, the k nearest have scores of at least s - 2E.
 */
#ifndef RUNGS_KNN_CUDA_EXACT_H
#define RUNGS_KNN_CUDA_EXACT_H

#include <stddef.h>
#include <stdint.h>

enum { WARP = 32 };
enum { TILE = 128 };                  /* references in a tile */
enum { AHEAD = 8 };                   /* tiles come in so many: loads that a thread has under way */
enum { MOST = 32 };                   /* neighbours at most: each thread keeps a list of so many */
static const float window = 0x1p-18f; /* 2E */
static const unsigned all_lanes = 0xffffffff;

struct references {
    const float *lat, *lon;
    const float4 *unit; /* unit vectors, AHEAD tiles or a multiple, in float4s: one load of 16
                           bytes; w is not used.  What is not there is NaN, as is its score */
};

__device__ static float4 unit_vector(float lat, float lon)
{
    float cos_lat = cosf(lat);

    return make_float4(cos_lat * cosf(lon), cos_lat * sinf(lon), sinf(lat), 0);
}

__device__ static float dot(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

[[maybe_unused]] __device__ static int warp_min(int x)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(all_lanes, x);
#else
    for (unsigned step = WARP / 2; step > 0; step /= 2)
        x = min(x, __shfl_xor_sync(all_lanes, x, step));
    return x;
#endif
}

/* Each operation is rounded for itself, which __dmul_rn and __dadd_rn see to: fused, this would not
   round as float64's formula does elsewhere, and what is equal there would differ here. */
__device__ static double haversine(double lat1, double lon1, double cos1, double lat2, double lon2,
                                   double cos2)
{
    double sin_lat = sin((lat2 - lat1) / 2);
    double sin_lon = sin((lon2 - lon1) / 2);
    double across = __dmul_rn(__dmul_rn(__dmul_rn(cos1, cos2), sin_lon), sin_lon);
    double h = __dadd_rn(__dmul_rn(sin_lat, sin_lat), across);

    return 2 * asin(sqrt(fmin(h, 1.0)));
}

__device__ static double haversine(double lat1, double lon1, double lat2, double lon2)
{
    return haversine(lat1, lon1, cos(lat1), lat2, lon2, cos(lat2));
}

struct nearest_so_far { /* by float64, of those that this lane has seen */
    double far;
    unsigned who;
};

[[maybe_unused]] __device__ static void decide(nearest_so_far *c, double far, unsigned who)
{
    if (far < c->far || (far == c->far && who < c->who)) {
        c->far = far;
        c->who = who;
    }
}

/* Of what so many neighbouring lanes have, a power of two, the nearest, for all of them */
[[maybe_unused]] __device__ static void decide_among(nearest_so_far *c, unsigned lanes)
{
    const unsigned first = threadIdx.x % WARP / lanes * lanes;
    const unsigned all = all_lanes >> (WARP - lanes) << first;

    for (unsigned step = lanes / 2; step > 0; step /= 2) {
        const double far = __shfl_xor_sync(all, c->far, step);

        decide(c, far, __shfl_xor_sync(all, c->who, step));
    }
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
