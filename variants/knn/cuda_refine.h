/*
 * For the CUDA variants of cuda_sweep.h: finds the nearest reference after the sweep, in three steps of
 * growing cost.  Each step leaves fewer observations to the next.
 *
 *     answer()         all observations, a warp for 32 of them: exactly one tile is a candidate, and in
 *                      it exactly one reference.  That is the answer.  Others go to doubt[]
 *     knn_refine_f32   a warp for each of doubt[]: all candidate tiles, in float32.  Lists up to SOME
 *                      candidates; with more, the observation goes to many[]
 *     knn_refine_f64   (cuda_refine_f64.h) float64 chooses among those listed, or, for many[], among all
 *
 * A tile, or a reference, is a candidate if its score is within 2E of the best.  Here scores are float32 and
 * E = 32u (docs/knn-exactness.md, "GPU: 1 - q·r in float32").
 */
#ifndef RUNGS_KNN_CUDA_REFINE_H
#define RUNGS_KNN_CUDA_REFINE_H

#include "cuda_refine_f64.h" /* knn_refine_f64, SOME */
#include "cuda_sweep.h"      /* nearest_sweep, points, scores */

enum { ANSWER = 128, REFINERS = 2048 }; /* threads in a block; blocks that refine */
enum { EACH = TILE / FOUR };            /* lanes for a tile, four references each */
enum { BESIDE = WARP / EACH };          /* tiles that a warp scores at once */

/* How many observations the second and the third step take on: in doubt, and compared with all references in float64.  More are
   left to cuda_crowd.h, in many[]. */
struct refined {
    unsigned doubts, many;
};
static const refined any_number = {~0u, ~0u};

/* The distance in float32, for a neighbour of which there is no doubt */
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

/* The first step, for observation i of each lane.  The warp takes its 32 observations one after another,
   and each lane scores two of the tile's 64 references, so that loads are contiguous.  asks[WARP]:
   shared memory of this warp. */
__device__ static void answer(nearest_sweep s, points obs, size_t i, float4 *asks)
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
    asks[lane].w = __uint_as_float(one ? tile * (3 * TILE) : 0);
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
        tile * TILE + (near_a != 0 ? __ffs((int)near_a) - 1 : WARP + __ffs((int)near_b) - 1);

    obs.index[i] = j;
    obs.distance[i] = plain_haversine(lat, lon, s.ref.lat[j], s.ref.lon[j]);
}

__global__ static void __launch_bounds__(ANSWER) knn_answer(nearest_sweep s, points obs)
{
    __shared__ float4 asks[ANSWER];

    answer(s, obs, (size_t)blockIdx.x * ANSWER + threadIdx.x, &asks[threadIdx.x / WARP * WARP]);
}

struct shortlist { /* candidates of one observation; the same in all lanes of a warp */
    unsigned count; /* SOME + 1: too many; that one is not listed */
    unsigned *who;  /* [SOME] in device memory, in no order */
};

/* Appends the references of all lanes: bit b of `near` is reference first + b / FOUR * stride + b % FOUR.
   A whole warp calls this. */
__device__ static void list_candidates(shortlist *list, unsigned near, unsigned first, unsigned stride)
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

/* Scores all tiles of an eighth, until there are too many candidates. */
__device__ static void refine_eighth(shortlist *list, nearest_sweep s, unsigned eighth, float4 at,
                                     float limit)
{
    enum { LOADS = 4, AT_ONCE = LOADS * BESIDE, STRIDE = BESIDE * QUARTERS * TILE };
    const unsigned lane = threadIdx.x % WARP;
    const unsigned begin = eighth < QUARTERS ? 0 : s.middle,
                   end = eighth < QUARTERS ? s.middle : s.chunks;
    unsigned j = begin * CHUNK + (eighth % QUARTERS + lane / EACH * QUARTERS) * TILE +
                 lane % EACH * FOUR;

    for (unsigned c = begin; c < end && list->count <= SOME; c += AT_ONCE) {
        unsigned near = 0;

#pragma unroll
        for (unsigned load = 0; load < LOADS; load++)
            if (j + load * STRIDE < end * CHUNK)
                near |= near_four(s, at, j + load * STRIDE, limit) << load * FOUR;
        list_candidates(list, near, j, STRIDE);
        j += LOADS * STRIDE;
    }
}

/* The second step, a warp for each observation in doubt: the best tile of each eighth, and all tiles of a
   crowded eighth.  Replaces found[2 * i]: how many candidates, and which; if more than SOME, the limit
   that they score at most. */
__global__ static void __launch_bounds__(ANSWER) knn_refine_f32(nearest_sweep s, points obs, unsigned most)
{
    const unsigned lane = threadIdx.x % WARP, warps = gridDim.x * (ANSWER / WARP);
    const bool left = lane < EACH;

    if (s.doubt[0] > most) {
        for (unsigned d = blockIdx.x * ANSWER + threadIdx.x; d <= s.doubt[0]; d += gridDim.x * ANSWER)
            s.many[d] = s.doubt[d];
        return;
    }

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
            first[t] = (tile[t] & ~CROWDED) * TILE + lane % EACH * FOUR;
            scores[t] = scores_of_four(s, at, first[t]);
            best = __vimin3_s32(best, __float_as_int(scores[t].x), __float_as_int(scores[t].y));
            best = __vimin3_s32(best, __float_as_int(scores[t].z), __float_as_int(scores[t].w));
        }

        const float limit = __int_as_float(warp_min(best)) + window;

        __syncwarp(); /* all lanes have read found[2 * i], which is now overwritten */
#pragma unroll
        for (unsigned t = 0; t < QUARTERS; t++)
            list_candidates(&list, tile[t] < CROWDED ? near_of(scores[t], limit) : 0, first[t], 0);
        for (; crowded != 0; crowded &= crowded - 1)
            refine_eighth(&list, s, __ffs((int)crowded) - 1, at, limit);
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

/* The second step and the third */
static void refine_doubts(nearest_sweep s, points obs, cudaStream_t stream, refined most = any_number)
{
    knn_refine_f32<<<REFINERS, ANSWER, 0, stream>>>(s, obs, most.doubts);
    CUDA(cudaGetLastError());
    knn_refine_f64<<<F64_BLOCKS, F64_THREADS, 0, stream>>>(s, obs, most.many);
    CUDA(cudaGetLastError());
}

/* All three */
[[maybe_unused]] static void refine(nearest_sweep s, points obs, cudaStream_t stream, refined most = any_number)
{
    knn_answer<<<blocks_of(obs.count, ANSWER), ANSWER, 0, stream>>>(s, obs);
    CUDA(cudaGetLastError());
    refine_doubts(s, obs, stream, most);
}

#endif
