/*
 * For CUDA variants that find k neighbours: what follows the sweep, which has kept the best score of every
 * tile (cuda_topk.h).  A warp has 32 observations:
 *
 *     limit      a lane for each observation: its limit (cuda_topk_limit.h)
 *     tiles      a few lanes for each: lists the tiles whose best score is within the limit
 *     candidates the whole warp, eight lanes a tile: which references of these tiles are within it?
 *                For k = 8 and references in no order, about nine
 *     rank       a lane for each candidate: its distance in float64, and how many candidates are nearer.
 *                That is its place in the answer, so no sort is needed and no doubt is left
 *
 * Room     There is room for 2 LENGTH candidates of an observation, and 4 LENGTH tiles, where LENGTH is 8, 16 or
 *          32, and k at most that.  An observation with more is left to cuda_topk_overflow.h.
 * Bound    The first-level cache and shared memory, which are one: hence no atomic operations on shared
 *          memory, wide loads, and little shared memory, so that the rest is cache.
 */
#ifndef RUNGS_KNN_CUDA_TOPK_SELECT_H
#define RUNGS_KNN_CUDA_TOPK_SELECT_H

#include "cuda_topk_limit.h"    /* limit_of, reaching, take_one */
#include "cuda_topk_overflow.h" /* knn_topk_overflow, place_of, SELECT */

enum { ROOM = 128 };  /* candidates of a warp at once: those of a few observations */
enum { SHARED = 64 }; /* KiB of shared memory on a multiprocessor; the rest is first-level cache */

/* A warp's shared memory, for k <= LENGTH.  An observation has room for `room` candidates and `most` tiles;
   `at_once` observations are worked on at a time.  Unions save space: what is first needed is written over
   by what is needed later. */
template <int LENGTH> struct gathered {
    static constexpr unsigned room = 2 * LENGTH, at_once = ROOM / room, most = 2 * room;

    union {
        uint32_t tile[at_once][most]; /* first: the tiles within the limit */
        double far[ROOM];             /* later: how far each candidate is */
    };
    uint32_t who[ROOM]; /* candidates: `room` places for each observation */
    union {
        float4 asks[at_once]; /* first: unit vectors of the observations; w is the limit */
        uint8_t taken[ROOM];  /* later: which places of who[] are taken, in order */
    };
    double cosine[at_once]; /* of their latitudes */
};

__device__ static void leave_to_overflow(topk_sweep s, size_t i)
{
    s.crowded[1 + atomicAdd(&s.crowded[0], 1)] = (unsigned)i;
}

/* Lists the tiles within the limits of the observations from `first` on: lanes l, l + at_once and so on
   work for number l.  Returns how many tiles it has; more than there is room for are not listed.  A whole
   warp calls this. */
template <int LENGTH>
__device__ static unsigned list_tiles(topk_sweep s, size_t first, gathered<LENGTH> *g)
{
    constexpr unsigned at_once = gathered<LENGTH>::at_once, most = gathered<LENGTH>::most;
    const unsigned lane = threadIdx.x % WARP, of = lane % at_once;
    const unsigned long long *const pieces = scores_of(s, first + of);
    const float limit = g->asks[of].w;
    unsigned count = 0;

    for (unsigned base = 0; base < s.chunks; base += WARP / at_once * PIECES_OF_REACH) {
        const unsigned piece = base + lane / at_once * PIECES_OF_REACH;
        unsigned reach = reaching(pieces + (size_t)piece * WARP,
                                  piece < s.chunks ? s.chunks - piece : 0, limit);
        const unsigned mine = __popc((int)reach);
        unsigned end = mine; /* the sum of all lanes up to this one, for the same observation */

#pragma unroll
        for (unsigned step = at_once; step < WARP; step *= 2) {
            const unsigned before = __shfl_up_sync(all_lanes, end, step);

            end += lane >= step ? before : 0;
        }
        for (unsigned place = count + end - mine; reach != 0 && place < most; place++)
            g->tile[of][place] = piece * TURN + take_one(&reach);
        count += __shfl_sync(all_lanes, end, WARP - at_once + of);
    }
    __syncwarp();
    return count;
}

/* Shifts the sign of `less` into `bits`, from below. */
__device__ static unsigned sign_into(unsigned bits, float less)
{
    return __funnelshift_l(__float_as_uint(less), bits, 1);
}

/* Appends four bits to `bits`: which of four references score less than the limit.  `from` is 1 - limit,
   so that what is evaluated is score - limit, off by u / 2 more at most; its sign is the bit.  The sign of
   NaN is not set. */
__device__ static unsigned nearer(unsigned bits, float4 at, float from, const float *unit)
{
    const float4 x = *(const float4 *)unit, y = *(const float4 *)(unit + TILE),
                 z = *(const float4 *)(unit + 2 * TILE);

    bits = sign_into(bits, from - at.x * x.w - at.y * y.w - at.z * z.w);
    bits = sign_into(bits, from - at.x * x.z - at.y * y.z - at.z * z.z);
    bits = sign_into(bits, from - at.x * x.y - at.y * y.y - at.z * z.y);
    return sign_into(bits, from - at.x * x.x - at.y * y.x - at.z * z.x);
}

/* Writes the references of these tiles that are within the limit to who[], as long as there is room, and
   returns how many they are.  A whole warp calls this; eight lanes share a tile. */
__device__ static unsigned find_candidates(topk_sweep s, float4 at, const uint32_t *tiles, unsigned count,
                                         uint32_t *who, unsigned room)
{
    enum { EIGHT = 8, HALF = EIGHT * FOUR };
    const unsigned lane = threadIdx.x % WARP, column = lane % EIGHT * FOUR;
    unsigned found = 0;

    for (unsigned t = lane / EIGHT; t - lane / EIGHT < count; t += WARP / EIGHT) {
        const unsigned tile = t < count ? tiles[t] : 0;
        unsigned near = 0;

        if (t < count) {
            const float *const unit = unit_of(s, (size_t)tile * TILE) + column;

            near = nearer(nearer(0, at, 1 - at.w, unit + HALF), at, 1 - at.w, unit);
        }
        for (unsigned lanes; (lanes = __ballot_sync(all_lanes, near != 0)) != 0;) {
            const unsigned place = found + __popc((int)(lanes & ((1u << lane) - 1)));

            found += __popc((int)lanes);
            if (near == 0)
                continue;

            const unsigned bit = WARP - 1 - __clz((int)near);

            near ^= 1u << bit;
            if (place < room)
                who[place] = tile * TILE + column + bit % FOUR + bit / FOUR * HALF;
        }
    }
    return found;
}

/* Fills taken[] with the places of who[] that are taken, without gaps; lane l says how many candidates
   observation l has.  Returns how many there are in all.  A whole warp calls this. */
template <int LENGTH> __device__ static unsigned list_taken(unsigned candidates, gathered<LENGTH> *g)
{
    constexpr unsigned room = gathered<LENGTH>::room;
    const unsigned lane = threadIdx.x % WARP;
    unsigned count = 0;

    __syncwarp();
#pragma unroll
    for (unsigned place = lane; place < ROOM; place += WARP) {
        const bool taken = place % room < __shfl_sync(all_lanes, candidates, (int)(place / room));
        const unsigned all = __ballot_sync(all_lanes, taken);

        g->far[place] = INFINITY; /* where there is no candidate, it stays so */
        if (taken)
            g->taken[count + __popc((int)(all & ((1u << lane) - 1)))] = (uint8_t)place;
        count += __popc((int)all);
    }
    __syncwarp();
    return count;
}

/* How many of an observation's candidates come before the one at place `mine`?  All lanes compare `most`
   candidates, so that they stay together.  Indexes are compared only if two are equally far. */
__device__ static unsigned rank_of(const double *far, const uint32_t *who, unsigned mine,
                                   unsigned most)
{
    const double its = far[mine];
    unsigned before = 0, up_to = 0;

    for (unsigned o = 0; o < most; o += 4)
#pragma unroll
        for (unsigned other = o; other < o + 4; other++) {
            before += far[other] < its;
            up_to += far[other] <= its;
        }
    if (up_to > before + 1)
#pragma unroll 1
        for (unsigned other = 0; other < most; other++)
            before += far[other] == its && who[other] < who[mine];
    return before;
}

/* Writes the answers: distances in float64, then ranks.  A whole warp calls this. */
template <int LENGTH>
__device__ static void rank(topk_sweep s, points obs, size_t first, unsigned count, unsigned most,
                            gathered<LENGTH> *g)
{
    constexpr unsigned room = gathered<LENGTH>::room;
    const unsigned lane = threadIdx.x % WARP;

    for (unsigned e = lane; e < count; e += WARP) {
        const unsigned at = g->taken[e], of = at / room;

        g->far[at] = haversine(obs.lat[first + of], obs.lon[first + of], g->cosine[of],
                               place_of(s, g->who[at]));
    }
    __syncwarp();
    for (unsigned e = lane; e < count; e += WARP) {
        const unsigned at = g->taken[e], of = at / room;
        const unsigned before = rank_of(&g->far[of * room], &g->who[of * room], at % room, most);

        if (before >= s.k)
            continue;
        obs.index[(first + of) * s.k + before] = g->who[at];
        obs.distance[(first + of) * s.k + before] = (float)g->far[at];
    }
    __syncwarp();
}

/* Answers the observations from `first` on, at_once at most.  A whole warp calls this. */
template <int LENGTH>
__device__ static void select_at_once(topk_sweep s, points obs, size_t first, unsigned observations,
                                      gathered<LENGTH> *g)
{
    constexpr unsigned room = gathered<LENGTH>::room, most = gathered<LENGTH>::most;
    const unsigned lane = threadIdx.x % WARP, tiles = list_tiles(s, first, g);
    unsigned candidates = 0;

    for (unsigned of = 0; of < observations; of++) {
        const unsigned count = __shfl_sync(all_lanes, tiles, (int)of);
        const unsigned found = count > most ? room + 1
                                            : find_candidates(s, g->asks[of], g->tile[of], count,
                                                            &g->who[of * room], room);

        if (lane == of)
            candidates = found;
    }
    if (candidates > room) {
        leave_to_overflow(s, first + lane);
        candidates = 0;
    }

    const unsigned count = list_taken(candidates, g);

    rank(s, obs, first, count, -warp_min(-(int)candidates), g);
}

template <int LENGTH>
__global__ static void __launch_bounds__(SELECT, 8) knn_topk_select(topk_sweep s, points obs, windows w)
{
    constexpr unsigned at_once = gathered<LENGTH>::at_once;
    __shared__ gathered<LENGTH> all[SELECT / WARP];
    gathered<LENGTH> *const g = &all[threadIdx.x / WARP];
    const unsigned lane = threadIdx.x % WARP;
    const size_t begin = ((size_t)blockIdx.x * SELECT + threadIdx.x) / WARP * WARP,
                 end = min(begin + WARP, obs.count), mine = min(begin + lane, obs.count - 1);
    const double cosine = cos((double)obs.lat[mine]);
    float4 at = unit_vector(obs.lat[mine], obs.lon[mine]);

    at.w = limit_of<LENGTH>(s, mine, w);
    for (size_t first = begin; first < end; first += at_once) {
        if ((begin + lane - first) / at_once == 0) {
            g->asks[lane % at_once] = at;
            g->cosine[lane % at_once] = cosine;
        }
        __syncwarp();
        select_at_once(s, obs, first, (unsigned)min(end - first, (size_t)at_once), g);
    }
}

template <int LENGTH>
static void select_up_to(topk_sweep s, points obs, windows w, cudaStream_t stream)
{
    int device, most;

    CUDA(cudaGetDevice(&device));
    CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device));
    CUDA(cudaFuncSetAttribute(knn_topk_select<LENGTH>, cudaFuncAttributePreferredSharedMemoryCarveout,
                              min(SHARED * 1024 * 100 / most, 100)));
    knn_topk_select<LENGTH><<<blocks_of(obs.count, SELECT), SELECT, 0, stream>>>(s, obs, w);
    CUDA(cudaGetLastError());
}

/* The k nearest references of each observation, once the sweep is done */
static void topk_select(topk_sweep s, points obs, windows w, cudaStream_t stream)
{
    if (s.k <= 8)
        select_up_to<8>(s, obs, w, stream);
    else if (s.k <= 16)
        select_up_to<16>(s, obs, w, stream);
    else
        select_up_to<MOST>(s, obs, w, stream);
    knn_topk_overflow<<<OVERFLOW, SELECT, 0, stream>>>(s, obs, w);
    CUDA(cudaGetLastError());
}

#endif
