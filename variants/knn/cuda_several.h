/*
 * For the CUDA rungs of cuda_settle.h when k neighbours are asked for, and not one.  The sweep keeps
 * the best score of every tile: 16 bits of it, the upper half of a float, so that it loses less than
 * 1/128 of itself and never gains.  What comes after the sweep goes by these.
 *
 * Limit    Of k tiles the best scores are at most s, so k references have a cosine distance of at
 *          most s + E, and so have the k nearest: their scores are at most s + 2E, by the sweep as
 *          well as by float32, whose own E is no larger.  Tiles whose best score is more than that
 *          are out of the question.
 * s        The k-th least of the least of 64 groups of tiles: these are k different tiles.  For
 *          k = 8 and references in no order, it is the ninth or so of all tiles, not the eighth.
 * Order    Everyone within the limit, ten or so for k = 8, gets the haversine formula in float64,
 *          and its rank among them is how many come before it.  Nothing is left in doubt.
 * Crowds   If there are many, a warp goes through them all again, with a list of the nearest so far,
 *          a lane each, and the limit shrinks as the list fills.
 */
#ifndef RUNGS_KNN_CUDA_SEVERAL_H
#define RUNGS_KNN_CUDA_SEVERAL_H

#include "cuda_settle.h" /* sweep, points, ANSWER, SETTLE, score */

enum {
    WARPS = ANSWER / WARP,       /* in a block */
    SPAN = 4 * 2 * WARP,         /* tiles whose scores a warp reads at once: four times two a lane */
    ROOM = 256,                  /* candidates that a warp takes in at once, */
    FEWEST = 16, MANY = 64,      /* so many of each observation, by k: */
    AT_MOST = ROOM / FEWEST      /* of so many observations */
};

static const int nothing = 0x4100; /* upper half of 8.0: above any score */

struct windows { /* 2E of a sweep, where the k-th score is less than near_score, and elsewhere */
    float near_score, near, far;
};

/* --- in the sweep ----------------------------------------------------------------------------- */

/* Best scores of the last four tiles, the last one's highest: upper halves. */
struct recent {
    unsigned long long four = 0;
};

__device__ static void note(recent *tiles, int score, unsigned)
{
    tiles->four = tiles->four >> 16 | (unsigned long long)((unsigned)score >> 16) << 48;
}

__device__ static void write_down(uint16_t *least, recent tiles)
{
    *(unsigned long long *)least = tiles.four;
}

/* --- after the sweep -------------------------------------------------------------------------- */

struct span {
    unsigned two[4]; /* the scores of two tiles each */
};

/* This lane's part of a span from `base` on; what is not there repeats the last ones. */
__device__ static span read_span(sweep s, size_t i, unsigned base)
{
    const unsigned twos = s.chunks * QUARTERS / 2, mine = base / 2 + threadIdx.x % WARP;
    const unsigned *least = (const unsigned *)s.least + i * twos;
    span part;

#pragma unroll
    for (unsigned step = 0; step < 4; step++)
        part.two[step] = least[min(mine + step * WARP, twos - 1)];
    return part;
}

/* A warp together: nobody who is among the k nearest to observation i scores more than this.  Scores
   go without their signs; what is negative by rounding is within the window of 0. */
__device__ static float limit_of(sweep s, size_t i, span part, windows w)
{
    int even = nothing, odd = nothing, kth = nothing;

    for (unsigned base = SPAN;; base += SPAN) {
#pragma unroll
        for (unsigned step = 0; step < 4; step++) {
            even = min(even, (int)(part.two[step] & 0x7fff));
            odd = min(odd, (int)(part.two[step] >> 16 & 0x7fff));
        }
        if (base >= s.chunks * QUARTERS)
            break;
        part = read_span(s, i, base);
    }

    int first = min(even, odd), second = max(even, odd);

    for (unsigned r = 0; r < s.k; r++) { /* equal ones go together: s may be larger than need be */
        kth = warp_min(first);
        if (first == kth) {
            first = second;
            second = nothing;
        }
    }

    const float above = __int_as_float((kth + 1) << 16);

    return above + (above < w.near_score ? w.near : w.far);
}

/* Which tiles of this lane's part of a span may have scores within the limit?  Of step t, bit 15 - t
   is the first, and bit 31 - t the second. */
__device__ static unsigned reaching(sweep s, span part, unsigned base, float limit)
{
    const unsigned bar = ((__float_as_uint(limit) >> 16) + 1) * 0x10001;
    unsigned reach = 0;

#pragma unroll
    for (unsigned step = 0; step < 4; step++) /* with the sign bits set, no half borrows */
        if (base + step * (2 * WARP) + threadIdx.x % WARP * 2 < s.chunks * QUARTERS)
            reach |= (~((part.two[step] | 0x80008000) - bar) & 0x80008000) >> step;
    return reach;
}

/* The first of them, and the others */
__device__ static unsigned first_tile(unsigned base, unsigned reach)
{
    const unsigned bit = __clz((int)reach);

    return base + bit % 16 * (2 * WARP) + threadIdx.x % WARP * 2 + (bit < 16);
}

__device__ static unsigned without_first(unsigned reach)
{
    return reach & ~(0x80000000 >> __clz((int)reach) % WARP);
}

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

            for (unsigned reach = reaching(s, part, base, limit); reach != 0;
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

/* Which of four references from j on score at most `limit`: a bit each */
__device__ static unsigned near_four(sweep s, float4 at, size_t j, float limit)
{
    const float4 x = *(const float4 *)&s.unit[0][j], y = *(const float4 *)&s.unit[1][j],
                 z = *(const float4 *)&s.unit[2][j];

    return (score(at, x.x, y.x, z.x) <= limit) | (score(at, x.y, y.y, z.y) <= limit) << 1 |
           (score(at, x.z, y.z, z.z) <= limit) << 2 | (score(at, x.w, y.w, z.w) <= limit) << 3;
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
    __shared__ gathered all[WARPS];
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
                                  float lat, float lon)
{
    const unsigned lane = threadIdx.x % WARP;

#pragma unroll 1
    for (unsigned half = 0; half < PART; half += WARP) {
        const unsigned j = tile * PART + half + lane;
        const float its = score_of(s, at, j);
        const double far = its <= limit ? haversine(lat, lon, s.ref.lat[j], s.ref.lon[j]) : INFINITY;
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
    const unsigned lane = threadIdx.x % WARP, warps = gridDim.x * WARPS;

    for (unsigned d = blockIdx.x * WARPS + threadIdx.x / WARP; d < s.doubt[0]; d += warps) {
        const size_t i = s.doubt[1 + d];
        const float lat = obs.lat[i], lon = obs.lon[i];
        const float4 at = unit_vector(lat, lon);
        span part = read_span(s, i, 0);
        float limit = limit_of(s, i, part, w);
        ranked mine = {INFINITY, 0xffffffff, 8};

        for (unsigned base = 0; base < s.chunks * QUARTERS; base += SPAN) {
            part = read_span(s, i, base);

            unsigned reach = reaching(s, part, base, limit);

            for (unsigned lanes; (lanes = __ballot_sync(all_lanes, reach != 0)) != 0;) {
                const unsigned tile = first_tile(base, reach);

                for (; lanes != 0; lanes &= lanes - 1)
                    limit = take_tile(s, &mine,
                                      __shfl_sync(all_lanes, tile, __ffs((int)lanes) - 1), at,
                                      limit, lat, lon);
                reach = without_first(reach);
            }
        }
        if (lane < s.k) {
            obs.index[i * s.k + lane] = mine.who;
            obs.distance[i * s.k + lane] = (float)mine.far;
        }
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
