/*
 * For the CUDA rungs of cuda_sweep.h when k neighbours are asked for, and not one: what comes
 * after the sweep, which has kept the best score of every tile (cuda_minima.h).
 *
 * Limits   A lane finds the limit of an observation; then a few lanes together put the tiles within
 *          it on a list, of several observations, and eight look at each.
 * Order    Everyone within the limit, nine or so for k = 8, gets the haversine formula in float64,
 *          and its rank among them is how many come before it.  Nothing is left in doubt.
 * Crowds   Of an observation there is room for 2k candidates, or 16; for more see cuda_crowded.h.
 * Memory   What bounds this is the first-level cache: what it can hand over, and has room for.  So
 *          the scores, each read twice, do not stay there, and shared memory is kept small.
 */
#ifndef RUNGS_KNN_CUDA_SEVERAL_H
#define RUNGS_KNN_CUDA_SEVERAL_H

#include "cuda_crowded.h" /* knn_crowded */
#include "cuda_minima.h"  /* windows, limit_of, reaching; and for the sweep: recent, note */

enum { ROOM = 128, TILES = 2 * ROOM }; /* candidates of a warp at once, and tiles to look at */
enum { SHARED = 64 }; /* KiB of shared memory on a multiprocessor: the rest is first-level cache */

/* Up to LENGTH neighbours: so many candidates of an observation, of so many at once */
template <int LENGTH> struct gathered {
    static constexpr unsigned room = 2 * LENGTH, at_once = ROOM / room, lanes = WARP / at_once;

    union {
        float4 asks[at_once]; /* the observations' unit vectors, and the limits */
        uint8_t taken[ROOM];  /* and later, at which places of who[] there is a candidate */
    };
    double cosine[at_once];   /* of their latitudes */
    union {
        uint32_t tile[TILES]; /* where to look for candidates; of which observation: bits 28.. */
        double far[ROOM];     /* and later, how far they are */
    };
    uint32_t who[ROOM];       /* who they are, as many to each observation */
    unsigned count[at_once];  /* how many these are */
    unsigned tiles;           /* to look at */
};

__device__ static void defer(sweep s, size_t i)
{
    s.doubt[1 + atomicAdd(&s.doubt[0], 1)] = (unsigned)i;
}

/* A warp together: the tiles to look at for `observations` from `first` on.  Returns how many. */
template <int LENGTH>
__device__ static unsigned list_tiles(sweep s, size_t first, unsigned observations,
                                      gathered<LENGTH> *g)
{
    constexpr unsigned at_once = gathered<LENGTH>::at_once, lanes = gathered<LENGTH>::lanes;
    const unsigned lane = threadIdx.x % WARP, of = lane % at_once;
    const unsigned long long *const pieces = scores_of(s, first + of);
    const unsigned end = of < observations ? s.chunks : 0;

    for (unsigned piece = lane / at_once * PIECES_OF_REACH; piece < end;
         piece += lanes * PIECES_OF_REACH) {
        unsigned reach = reaching(pieces + piece * WARP, end - piece, g->asks[of].w);
        const unsigned tiles = __popc((int)reach);
        unsigned place = tiles == 0 ? 0 : atomicAdd(&g->tiles, tiles);

        for (reach = place + tiles <= TILES ? reach : 0; reach != 0;)
            g->tile[place++] = of << 28 | (piece * TURN + take_one(&reach));
    }
    __syncwarp();
    if (g->tiles <= TILES)
        return g->tiles;
    if (lane < observations) /* not here: no candidates, and no answers */
        defer(s, first + lane);
    return 0;
}

/* With the sign of `less` as one more bit */
__device__ static unsigned sign_into(unsigned bits, float less)
{
    return __funnelshift_l(__float_as_uint(less), bits, 1);
}

/* Of four references, which score less than the limit: a bit each.  What a score is above the limit
   begins with `from`, 1 less the limit, off by u / 2 at most, for which E = 32u has room.  The sign
   of NaN is not set. */
__device__ static unsigned nearer(unsigned bits, float4 at, float from, const float *unit)
{
    const float4 x = *(const float4 *)unit, y = *(const float4 *)(unit + PART),
                 z = *(const float4 *)(unit + 2 * PART);

    bits = sign_into(bits, from - at.x * x.w - at.y * y.w - at.z * z.w);
    bits = sign_into(bits, from - at.x * x.z - at.y * y.z - at.z * z.z);
    bits = sign_into(bits, from - at.x * x.y - at.y * y.y - at.z * z.y);
    return sign_into(bits, from - at.x * x.x - at.y * y.x - at.z * z.x);
}

/* A warp together, eight lanes a tile: those who are within the limit */
template <int LENGTH>
__device__ static void look_at_tiles(sweep s, unsigned count, gathered<LENGTH> *g)
{
    enum { EACH = 8, HALF = EACH * FOUR };
    constexpr unsigned room = gathered<LENGTH>::room;
    const unsigned lane = threadIdx.x % WARP, column = lane % EACH * FOUR;

    for (unsigned t = lane / EACH; t < count; t += WARP / EACH) {
        const unsigned of = g->tile[t] >> 28, tile = g->tile[t] & 0x0fffffff;
        const float4 at = g->asks[of];
        const float *const unit = unit_of(s, (size_t)tile * PART) + column;
        unsigned near = nearer(nearer(0, at, 1 - at.w, unit + HALF), at, 1 - at.w, unit);

        while (near != 0) {
            const unsigned bit = WARP - 1 - __clz((int)near), place = atomicAdd(&g->count[of], 1);

            near ^= 1u << bit;
            if (place < room)
                g->who[of * room + place] =
                    tile * PART + column + bit % FOUR + bit / FOUR * HALF;
        }
    }
    __syncwarp();
}

/* A warp together: which places of who[] are taken, one after another.  Returns how many. */
template <int LENGTH>
__device__ static unsigned pack(sweep s, size_t first, unsigned observations, gathered<LENGTH> *g)
{
    constexpr unsigned room = gathered<LENGTH>::room;
    const unsigned lane = threadIdx.x % WARP;
    unsigned count = 0;

    if (lane < observations && g->count[lane] > room) {
        defer(s, first + lane);
        g->count[lane] = 0;
    }
    __syncwarp();
#pragma unroll
    for (unsigned place = lane; place < ROOM; place += WARP) {
        const bool taken = place % room < g->count[place / room];
        const unsigned all = __ballot_sync(all_lanes, taken);

        g->far[place] = INFINITY; /* until it is known; of nobody it stays so */
        if (taken)
            g->taken[count + __popc((int)(all & ((1u << lane) - 1)))] = (uint8_t)place;
        count += __popc((int)all);
    }
    __syncwarp();
    return count;
}

/* A warp together: how far they are, by float64, and then which rank that is: how many of the same
   observation come before it? */
template <int LENGTH>
__device__ static void rank(sweep s, points obs, size_t first, unsigned count, gathered<LENGTH> *g)
{
    constexpr unsigned room = gathered<LENGTH>::room, at_once = gathered<LENGTH>::at_once;
    const unsigned lane = threadIdx.x % WARP;
    const int most = -warp_min(lane < at_once ? -(int)g->count[lane] : 0);

    for (unsigned e = lane; e < count; e += WARP) {
        const unsigned at = g->taken[e], of = at / room;

        g->far[at] = haversine(obs.lat[first + of], obs.lon[first + of], g->cosine[of],
                               place_of(s, g->who[at]));
    }
    __syncwarp();
    for (unsigned e = lane; e < count; e += WARP) {
        const unsigned place = g->taken[e], of = place / room, who = g->who[place];
        const double far = g->far[place];
        unsigned before = 0;

        for (int o = 0; o < most; o += 4) /* as many for all: then the lanes stay together */
#pragma unroll
            for (unsigned other = of * room + o; other < of * room + o + 4; other++)
                before += (g->far[other] < far) | ((g->far[other] == far) & (g->who[other] < who));
        if (before >= s.k)
            continue;
        obs.index[(first + of) * s.k + before] = who;
        obs.distance[(first + of) * s.k + before] = (float)far;
    }
    __syncwarp();
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
    for (unsigned place = lane; place < ROOM; place += WARP)
        g->who[place] = 0; /* nobody is compared, too */
    for (size_t first = begin; first < end; first += at_once) {
        const unsigned observations = (unsigned)min(end - first, (size_t)at_once);

        if ((begin + lane - first) / at_once == 0) {
            g->asks[lane % at_once] = at;
            g->cosine[lane % at_once] = cosine;
            g->count[lane % at_once] = 0;
        }
        if (lane == 0)
            g->tiles = 0;
        __syncwarp();
        look_at_tiles(s, list_tiles(s, first, observations, g), g);
        rank(s, obs, first, pack(s, first, observations, g), g);
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
