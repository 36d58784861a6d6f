/*
 * For the CUDA rungs of cuda_sweep.h when k neighbours are asked for, and not one: what comes
 * after the sweep, which has kept the best score of every tile (cuda_minima.h).
 *
 * Tiles    Those within the limit go on a list, of several observations together, so that all lanes
 *          of a warp are at work: eight look at a tile.
 * Order    Everyone within the limit, ten or so for k = 8, gets the haversine formula in float64,
 *          and its rank among them is how many come before it.  Nothing is left in doubt.
 * Crowds   Of an observation there is room for 2k candidates, or 16; for more see cuda_crowded.h.
 */
#ifndef RUNGS_KNN_CUDA_SEVERAL_H
#define RUNGS_KNN_CUDA_SEVERAL_H

#include "cuda_crowded.h" /* knn_crowded */
#include "cuda_minima.h"  /* windows, span, limit_of, reaching; and for the sweep: recent, note */

enum {
    ROOM = 128,                  /* candidates that a warp takes in at once, */
    FEWEST = 16, MANY = 64,      /* so many of each observation, by k: */
    AT_MOST = ROOM / FEWEST      /* of so many observations */
};

struct gathered { /* of AT_MOST observations of a warp, or fewer */
    float4 asks[AT_MOST];     /* their unit vectors, and the limits */
    double cosine[AT_MOST];   /* of their latitudes */
    unsigned count[AT_MOST];  /* how many candidates */
    unsigned tiles;           /* to look at */
    uint32_t who[ROOM];       /* which, as many to each observation */
    uint16_t taken[ROOM];     /* which of these places there is one at */
    union {
        uint32_t tile[2 * ROOM]; /* where to look for candidates; of which observation: bits 28.. */
        double far[ROOM];        /* and later, how far they are */
    };
};

/* How many candidates of one observation there is room for: 2^this, no less than 2 k */
__device__ static unsigned room_bits(sweep s)
{
    return s.k <= FEWEST / 2 ? 4 : s.k <= MANY / 4 ? 5 : 6;
}

__device__ static void defer(sweep s, size_t i)
{
    s.doubt[1 + atomicAdd(&s.doubt[0], 1)] = (unsigned)i;
}

/* A warp together: the tiles to look at for `observations` from `first` on.  Returns how many. */
__device__ static unsigned list_tiles(sweep s, points obs, size_t first, unsigned observations,
                                      windows w, gathered *g)
{
    const unsigned lane = threadIdx.x % WARP, most = 2u << room_bits(s);
    span next = read_span(s, first, 0);
    unsigned count = 0;

    if (lane < observations) {
        g->asks[lane] = unit_vector(obs.lat[first + lane], obs.lon[first + lane]);
        g->cosine[lane] = cos((double)obs.lat[first + lane]);
        g->count[lane] = 0;
    }
    if (lane == 0)
        g->tiles = 0;
    __syncwarp();
    for (unsigned of = 0; of < observations; of++) {
        span part = next;
        const unsigned begin = count;

        next = read_span(s, first + min(of + 1, observations - 1), 0); /* on its way meanwhile */

        const float limit = limit_of(s, first + of, part, w);

        if (lane == 0)
            g->asks[of].w = limit;
        for (unsigned base = 0; base < s.chunks * QUARTERS; base += SPAN) {
            if (base > 0)
                part = read_span(s, first + of, base);

            for (unsigned reach = reaching(part, limit); reach != 0;
                 reach = without_first(reach)) {
                const unsigned place = atomicAdd(&g->tiles, 1);

                if (place < begin + most)
                    g->tile[place] = of << 28 | first_tile(base, reach);
            }
        }
        __syncwarp();
        count = g->tiles;
        __syncwarp();
        if (count - begin > most) { /* not here: no candidates, and no answer */
            count = begin;
            if (lane == 0) {
                g->tiles = begin;
                defer(s, first + of);
            }
            __syncwarp();
        }
    }
    return count;
}

/* A warp together, eight lanes a tile: those who are within the limit */
__device__ static void look_at_tiles(sweep s, unsigned count, gathered *g)
{
    enum { EACH = 8, FOUR = 4, HALF = EACH * FOUR };
    const unsigned lane = threadIdx.x % WARP, room = 1u << room_bits(s);

    for (unsigned t = lane / EACH; t < count; t += WARP / EACH) {
        const unsigned of = g->tile[t] >> 28;
        const unsigned j = (g->tile[t] & 0x0fffffff) * PART + lane % EACH * FOUR;
        const float4 at = g->asks[of];
        unsigned near = near_four(s, at, j, at.w) | near_four(s, at, j + HALF, at.w) << FOUR;

        for (; near != 0; near &= near - 1) {
            const unsigned bit = __ffs((int)near) - 1, place = atomicAdd(&g->count[of], 1);

            if (place < room)
                g->who[of * room + place] = j + bit % FOUR + bit / FOUR * HALF;
        }
    }
    __syncwarp();
}

/* A warp together: which places of who[] are taken, one after another.  Returns how many. */
__device__ static unsigned pack(sweep s, size_t first, unsigned observations, gathered *g)
{
    const unsigned lane = threadIdx.x % WARP, room = 1u << room_bits(s);
    unsigned mine = lane < observations ? g->count[lane] : 0;

    if (mine > room) {
        defer(s, first + lane);
        mine = 0;
    }

    unsigned end = mine; /* of all up to this lane's */

    for (unsigned step = 1; step < WARP; step *= 2) {
        const unsigned before = __shfl_up_sync(all_lanes, end, step);

        end += lane >= step ? before : 0;
    }
    for (unsigned e = 0; e < mine; e++)
        g->taken[end - mine + e] = (uint16_t)(lane * room + e);
    __syncwarp();
    return __shfl_sync(all_lanes, end, WARP - 1);
}

/* A warp together: how far they are, by float64, and then which rank that is: how many of the same
   observation come before it? */
__device__ static void rank(sweep s, points obs, size_t first, unsigned count, gathered *g)
{
    const unsigned lane = threadIdx.x % WARP, bits = room_bits(s);

    for (unsigned e = lane; e < count; e += WARP) {
        const unsigned place = g->taken[e], of = place >> bits, j = g->who[place];

        g->far[place] = haversine(obs.lat[first + of], obs.lon[first + of], g->cosine[of],
                                  s.ref.lat[j], s.ref.lon[j], s.cosine[j]);
    }
    __syncwarp();
    for (unsigned e = lane; e < count; e += WARP) {
        const unsigned place = g->taken[e], of = place >> bits, who = g->who[place];
        const double far = g->far[place];
        unsigned before = 0;

        for (unsigned o = of << bits; o < (of << bits) + g->count[of]; o++)
            before += (g->far[o] < far) | ((g->far[o] == far) & (g->who[o] < who));
        if (before >= s.k)
            continue;
        obs.index[(first + of) * s.k + before] = who;
        obs.distance[(first + of) * s.k + before] = (float)far;
    }
    __syncwarp();
}

__global__ static void __launch_bounds__(ANSWER) knn_several(sweep s, points obs, windows w)
{
    __shared__ gathered all[ANSWER / WARP];
    gathered *const g = &all[threadIdx.x / WARP];
    const unsigned at_once = ROOM >> room_bits(s);
    const size_t begin = ((size_t)blockIdx.x * ANSWER + threadIdx.x) / WARP * WARP,
                 end = min(begin + WARP, obs.count);

    for (size_t first = begin; first < end; first += at_once) {
        const unsigned observations = (unsigned)min(end - first, (size_t)at_once);

        look_at_tiles(s, list_tiles(s, obs, first, observations, w, g), g);
        rank(s, obs, first, pack(s, first, observations, g), g);
    }
}

static void settle_several(sweep s, points obs, windows w, cudaStream_t stream)
{
    knn_several<<<blocks_of(obs.count, ANSWER), ANSWER, 0, stream>>>(s, obs, w);
    CUDA(cudaGetLastError());
    knn_crowded<<<SETTLE, ANSWER, 0, stream>>>(s, obs, w);
    CUDA(cudaGetLastError());
}

#endif
