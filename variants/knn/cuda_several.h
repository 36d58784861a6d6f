/*
 * For the CUDA variants of cuda_sweep.h when k neighbours are asked for, and not one: what comes
 * after the sweep, which has kept the best score of every tile (cuda_minima.h).
 *
 * Limits   A lane each finds the limit of an observation; then a few lanes together list the tiles
 *          within it, and the warp goes through these lists, eight lanes a tile.
 * Order    Everyone within the limit, nine or so for k = 8, gets the haversine formula in float64,
 *          and its rank among them is how many come before it.  Nothing is left in doubt.
 * Crowds   Of an observation there is room for 2k candidates, or 16; for more see cuda_crowded.h.
 * Memory   What bounds all this is how much the first-level cache and shared memory can hand over,
 *          which are one: so no atomic operations there, wide loads, and little shared memory.
 */
#ifndef RUNGS_KNN_CUDA_SEVERAL_H
#define RUNGS_KNN_CUDA_SEVERAL_H

#include "cuda_crowded.h" /* knn_crowded, place_of */
#include "cuda_minima.h"  /* windows, limit_of, reaching; and for the sweep: recent, note */

enum { ROOM = 128 };  /* candidates of a warp at once */
enum { SHARED = 64 }; /* KiB of shared memory on a multiprocessor: the rest is first-level cache */

/* Up to LENGTH neighbours: of an observation so many candidates, and tiles; so many at once */
template <int LENGTH> struct gathered {
    static constexpr unsigned room = 2 * LENGTH, at_once = ROOM / room, most = 2 * room;

    union {
        uint32_t tile[at_once][most]; /* where to look for candidates, */
        double far[ROOM];             /* and later, how far they are */
    };
    uint32_t who[ROOM]; /* who they are, as many to each observation */
    union {
        float4 asks[at_once]; /* the observations' unit vectors, and the limits */
        uint8_t taken[ROOM];  /* later, at which of the places above there is one */
    };
    double cosine[at_once]; /* of their latitudes */
};

__device__ static void defer(sweep s, size_t i)
{
    s.doubt[1 + atomicAdd(&s.doubt[0], 1)] = (unsigned)i;
}

/* A warp together: the tiles to look at for the observations from `first` on, lanes l, l + at_once
   and so on for number l.  Returns how many it has; more than there is room for are not listed. */
template <int LENGTH>
__device__ static unsigned list_tiles(sweep s, size_t first, gathered<LENGTH> *g)
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
        unsigned end = mine; /* of those of all lanes up to this one */

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

/* With the sign of `less` as one more bit */
__device__ static unsigned sign_into(unsigned bits, float less)
{
    return __funnelshift_l(__float_as_uint(less), bits, 1);
}

/* Of four references, which score less than the limit: a bit each, to those that there are.  A
   score less the limit begins with `from`, 1 less the limit; that is off by u / 2 at most, and the
   sign of NaN is not set. */
__device__ static unsigned nearer(unsigned bits, float4 at, float from, const float *unit)
{
    const float4 x = *(const float4 *)unit, y = *(const float4 *)(unit + PART),
                 z = *(const float4 *)(unit + 2 * PART);

    bits = sign_into(bits, from - at.x * x.w - at.y * y.w - at.z * z.w);
    bits = sign_into(bits, from - at.x * x.z - at.y * y.z - at.z * z.z);
    bits = sign_into(bits, from - at.x * x.y - at.y * y.y - at.z * z.y);
    return sign_into(bits, from - at.x * x.x - at.y * y.x - at.z * z.x);
}

/* A warp together, eight lanes a tile: puts those who are within the limit at who[], as long as
   there is room, and returns how many these are. */
__device__ static unsigned look_at_tiles(sweep s, float4 at, const uint32_t *tiles, unsigned count,
                                         uint32_t *who, unsigned room)
{
    enum { EIGHT = 8, HALF = EIGHT * FOUR };
    const unsigned lane = threadIdx.x % WARP, column = lane % EIGHT * FOUR;
    unsigned found = 0;

    for (unsigned t = lane / EIGHT; t - lane / EIGHT < count; t += WARP / EIGHT) {
        const unsigned tile = t < count ? tiles[t] : 0;
        unsigned near = 0;

        if (t < count) {
            const float *const unit = unit_of(s, (size_t)tile * PART) + column;

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
                who[place] = tile * PART + column + bit % FOUR + bit / FOUR * HALF;
        }
    }
    return found;
}

/* A warp together: which places of who[] are taken, one after another, if lane l says how many
   candidates observation l has.  Returns how many. */
template <int LENGTH> __device__ static unsigned pack(unsigned candidates, gathered<LENGTH> *g)
{
    constexpr unsigned room = gathered<LENGTH>::room;
    const unsigned lane = threadIdx.x % WARP;
    unsigned count = 0;

    __syncwarp();
#pragma unroll
    for (unsigned place = lane; place < ROOM; place += WARP) {
        const bool taken = place % room < __shfl_sync(all_lanes, candidates, (int)(place / room));
        const unsigned all = __ballot_sync(all_lanes, taken);

        g->far[place] = INFINITY; /* until it is known; of nobody it stays so */
        if (taken)
            g->taken[count + __popc((int)(all & ((1u << lane) - 1)))] = (uint8_t)place;
        count += __popc((int)all);
    }
    __syncwarp();
    return count;
}

/* How many of an observation's candidates come before the one at place `mine`?  As many are looked
   at by all lanes, so that they stay together, and who is who only where two are as far. */
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

/* A warp together: how far they are, by float64, and then which rank that is */
template <int LENGTH>
__device__ static void rank(sweep s, points obs, size_t first, unsigned count, unsigned most,
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

/* A warp together: as many observations from `first` on as are answered at once.  Those that there
   is not room for are left in doubt. */
template <int LENGTH>
__device__ static void answer_several(sweep s, points obs, size_t first, unsigned observations,
                                      gathered<LENGTH> *g)
{
    constexpr unsigned room = gathered<LENGTH>::room, most = gathered<LENGTH>::most;
    const unsigned lane = threadIdx.x % WARP, tiles = list_tiles(s, first, g);
    unsigned candidates = 0;

    for (unsigned of = 0; of < observations; of++) {
        const unsigned count = __shfl_sync(all_lanes, tiles, (int)of);
        const unsigned found = count > most ? room + 1
                                            : look_at_tiles(s, g->asks[of], g->tile[of], count,
                                                            &g->who[of * room], room);

        if (lane == of)
            candidates = found;
    }
    if (candidates > room) {
        defer(s, first + lane);
        candidates = 0;
    }

    const unsigned count = pack(candidates, g);

    rank(s, obs, first, count, -warp_min(-(int)candidates), g);
}

template <int LENGTH>
__global__ static void __launch_bounds__(ANSWER, 8) knn_several(sweep s, points obs, windows w)
{
    constexpr unsigned at_once = gathered<LENGTH>::at_once;
    __shared__ gathered<LENGTH> all[ANSWER / WARP];
    gathered<LENGTH> *const g = &all[threadIdx.x / WARP];
    const unsigned lane = threadIdx.x % WARP;
    const size_t begin = ((size_t)blockIdx.x * ANSWER + threadIdx.x) / WARP * WARP,
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
        answer_several(s, obs, first, (unsigned)min(end - first, (size_t)at_once), g);
    }
}

template <int LENGTH>
static void find_several(sweep s, points obs, windows w, cudaStream_t stream)
{
    int device, most;

    CUDA(cudaGetDevice(&device));
    CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device));
    CUDA(cudaFuncSetAttribute(knn_several<LENGTH>, cudaFuncAttributePreferredSharedMemoryCarveout,
                              min(SHARED * 1024 * 100 / most, 100)));
    knn_several<LENGTH><<<blocks_of(obs.count, ANSWER), ANSWER, 0, stream>>>(s, obs, w);
    CUDA(cudaGetLastError());
}

static void settle_several(sweep s, points obs, windows w, cudaStream_t stream)
{
    if (s.k <= 8)
        find_several<8>(s, obs, w, stream);
    else if (s.k <= 16)
        find_several<16>(s, obs, w, stream);
    else
        find_several<MOST>(s, obs, w, stream);
    knn_crowded<<<SETTLE, ANSWER, 0, stream>>>(s, obs, w);
    CUDA(cudaGetLastError());
}

#endif
