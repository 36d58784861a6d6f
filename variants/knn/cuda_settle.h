/*
 * For the CUDA variants of cuda_sweep.h: what comes after the sweep.  In the end the neighbour is the
 * one that float64 names.
 *
 * Window   Tiles whose best scores are within 2E of the best of all are looked at again, in
 *          float32.  There E = 32u: coordinates put q.r off by 18u (cuda_exact.h), and three
 *          multiply-adds, on partial sums of 2 at most, by 6u.  If one reference alone is in that
 *          window, it is the nearest; of several, float64 decides.
 * Looks    Of most observations one tile is in question: answer(), a warp for 32 of them.  The
 *          others are in doubt, and get a warp each: knn_settle.  What is then still in doubt, and
 *          that is most of them, cuda_decide.h decides.
 */
#ifndef RUNGS_KNN_CUDA_SETTLE_H
#define RUNGS_KNN_CUDA_SETTLE_H

#include "cuda_decide.h" /* knn_decide, SOME */
#include "cuda_sweep.h"  /* sweep, points, scores */

enum { ANSWER = 128, SETTLE = 2048 }; /* threads in a block; blocks that settle doubts */
enum { EACH = PART / FOUR };          /* lanes of a tile, */
enum { BESIDE = WARP / EACH };        /* ... of which a warp looks at so many beside each other */

/* Where there is no doubt who is nearest, this is how far. */
__device__ static float plain_haversine(float lat1, float lon1, float lat2, float lon2)
{
    const float sin_lat = sinf((lat2 - lat1) / 2), sin_lon = sinf((lon2 - lon1) / 2);
    const float h = sin_lat * sin_lat + cosf(lat1) * cosf(lat2) * (sin_lon * sin_lon);

    return 2 * asinf(sqrtf(fminf(h, 1)));
}

__device__ static unsigned best_of(uint4 in)
{
    return min(min(in.x, in.y), min(in.z, in.w)); /* NOWHERE is more than any */
}

__device__ static int nowhere(uint4 in)
{
    return (in.x == NOWHERE) + (in.y == NOWHERE) + (in.z == NOWHERE) + (in.w == NOWHERE);
}

/* Of most observations one tile alone is in question, and one reference of it is clearly nearest.
   A warp looks at one after another, with a reference a lane, and another one.  Observation i is
   this lane's own; asks[] is the warp's. */
__device__ static void answer(sweep s, points obs, size_t i, float4 *asks)
{
    const bool mine = i < obs.count;
    const unsigned lane = threadIdx.x % WARP;
    const uint4 none = make_uint4(NOWHERE, NOWHERE, NOWHERE, NOWHERE),
                before = mine ? s.found[2 * i] : none, in = mine ? s.found[2 * i + 1] : none;
    const unsigned tile = min(best_of(before), best_of(in));
    const bool one = tile < CROWDED && nowhere(before) + nowhere(in) == 2 * QUARTERS - 1;
    const float lat = mine ? obs.lat[i] : 0, lon = mine ? obs.lon[i] : 0;
    unsigned near_a = 0, near_b = 0;

    asks[lane] = unit_vector(lat, lon);
    asks[lane].w = __uint_as_float(one ? tile * (3 * PART) : 0);
    __syncwarp();
#pragma unroll 16 /* loads under way at once */
    for (unsigned who = 0; who < WARP; who++) {
        const float4 at = asks[who];
        const float *const unit = s.unit + __float_as_uint(at.w) + lane;
        const float a = score_at(at, unit), b = score_at(at, unit + WARP);
        const int best = warp_min(min(__float_as_int(a), __float_as_int(b)));
        const float limit = __int_as_float(best) + window;
        const unsigned in_a = __ballot_sync(all_lanes, a <= limit);
        const unsigned in_b = __ballot_sync(all_lanes, b <= limit);

        if (lane == who) {
            near_a = in_a;
            near_b = in_b;
        }
    }
    if (!mine)
        return;
    if (!one || __popc(near_a) + __popc(near_b) != 1) {
        s.doubt[1 + atomicAdd(&s.doubt[0], 1)] = (unsigned)i;
        return;
    }

    const unsigned j =
        tile * PART + (near_a != 0 ? __ffs((int)near_a) - 1 : WARP + __ffs((int)near_b) - 1);

    obs.index[i] = j;
    obs.distance[i] = plain_haversine(lat, lon, s.ref.lat[j], s.ref.lon[j]);
}

__global__ static void __launch_bounds__(ANSWER) knn_answer(sweep s, points obs)
{
    __shared__ float4 asks[ANSWER];

    answer(s, obs, (size_t)blockIdx.x * ANSWER + threadIdx.x, &asks[threadIdx.x / WARP * WARP]);
}

struct shortlist { /* of a warp */
    unsigned count; /* goes on to SOME + 1, but that one is not written down */
    unsigned *who;  /* [SOME] on the device, in no order */
};

/* A warp together: bit b of near is reference first + b / FOUR * stride + b % FOUR. */
__device__ static void take(shortlist *list, unsigned near, unsigned first, unsigned stride)
{
    for (unsigned lanes; list->count <= SOME; list->count++) {
        lanes = __ballot_sync(all_lanes, near != 0);
        if (lanes == 0)
            return;
        if (threadIdx.x % WARP != (unsigned)__ffs((int)lanes) - 1)
            continue;

        const unsigned bit = __ffs((int)near) - 1;

        near &= near - 1;
        if (list->count < SOME)
            list->who[list->count] = first + bit / FOUR * stride + bit % FOUR;
    }
}

/* All tiles of an eighth, until there are too many candidates */
__device__ static void look_at_eighth(shortlist *list, sweep s, unsigned eighth, float4 at,
                                      float limit)
{
    enum { LOADS = 4, AT_ONCE = LOADS * BESIDE, STRIDE = BESIDE * QUARTERS * PART };
    const unsigned lane = threadIdx.x % WARP;
    const unsigned begin = eighth < QUARTERS ? 0 : s.middle,
                   end = eighth < QUARTERS ? s.middle : s.chunks;
    unsigned j = begin * CHUNK + (eighth % QUARTERS + lane / EACH * QUARTERS) * PART +
                 lane % EACH * FOUR;

    for (unsigned c = begin; c < end && list->count <= SOME; c += AT_ONCE) {
        unsigned near = 0;

#pragma unroll
        for (unsigned load = 0; load < LOADS; load++)
            if (j + load * STRIDE < end * CHUNK)
                near |= near_four(s, at, j + load * STRIDE, limit) << load * FOUR;
        take(list, near, j, STRIDE);
        j += LOADS * STRIDE;
    }
}

/* A warp each: the best tiles, two beside each other, and all of a crowded eighth.  Leaves in
   found[2 * i] how many candidates there are, and which; of more than SOME, the limit. */
__global__ static void __launch_bounds__(ANSWER) knn_settle(sweep s, points obs)
{
    const unsigned lane = threadIdx.x % WARP, warps = gridDim.x * (ANSWER / WARP);
    const bool left = lane < EACH;

    for (unsigned d = (blockIdx.x * ANSWER + threadIdx.x) / WARP; d < s.doubt[0]; d += warps) {
        const size_t i = s.doubt[1 + d];
        const uint4 a = s.found[2 * i], b = s.found[2 * i + 1];
        const unsigned eighths[2 * QUARTERS] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
        const unsigned tile[QUARTERS] = {left ? a.x : a.y, left ? a.z : a.w,
                                         left ? b.x : b.y, left ? b.z : b.w};
        const float4 at = unit_vector(obs.lat[i], obs.lon[i]);
        shortlist list = {0, &s.found[2 * i].y};
        float4 scores[QUARTERS];
        unsigned first[QUARTERS] = {}, crowded = 0; /* a bit for an eighth */
        int best = farthest;

#pragma unroll
        for (unsigned e = 0; e < 2 * QUARTERS; e++)
            crowded |= (unsigned)(eighths[e] >= CROWDED && eighths[e] != NOWHERE) << e;

#pragma unroll
        for (unsigned t = 0; t < QUARTERS; t++) {
            if (tile[t] == NOWHERE)
                continue;
            first[t] = (tile[t] & ~CROWDED) * PART + lane % EACH * FOUR;
            scores[t] = scores_of_four(s, at, first[t]);
            best = __vimin3_s32(best, __float_as_int(scores[t].x), __float_as_int(scores[t].y));
            best = __vimin3_s32(best, __float_as_int(scores[t].z), __float_as_int(scores[t].w));
        }

        const float limit = __int_as_float(warp_min(best)) + window;

        __syncwarp(); /* all have read what is now written over, by one lane or another */
#pragma unroll
        for (unsigned t = 0; t < QUARTERS; t++)
            take(&list, tile[t] < CROWDED ? near_of(scores[t], limit) : 0, first[t], 0);
        for (; crowded != 0; crowded &= crowded - 1)
            look_at_eighth(&list, s, __ffs((int)crowded) - 1, at, limit);
        __syncwarp();
        if (lane > 0)
            continue;
        s.found[2 * i].x = list.count;
        if (list.count > SOME) {
            s.found[2 * i].y = __float_as_uint(limit);
            s.many[1 + atomicAdd(&s.many[0], 1)] = (unsigned)i;
        }
    }
}

/* What answer() leaves in doubt */
static void settle_doubts(sweep s, points obs, cudaStream_t stream)
{
    knn_settle<<<SETTLE, ANSWER, 0, stream>>>(s, obs);
    CUDA(cudaGetLastError());
    knn_decide<<<DECIDERS, DECIDE, 0, stream>>>(s, obs);
    CUDA(cudaGetLastError());
}

[[maybe_unused]] static void settle(sweep s, points obs, cudaStream_t stream)
{
    knn_answer<<<blocks_of(obs.count, ANSWER), ANSWER, 0, stream>>>(s, obs);
    CUDA(cudaGetLastError());
    settle_doubts(s, obs, stream);
}

#endif
