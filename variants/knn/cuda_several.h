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
    WARPS = ANSWER / WARP,     /* in a block */
    ROOM = 384, EACH = 64,     /* candidates that a warp takes in at once; those of one observation */
    STEPS_AT_ONCE = 16,        /* a step is two tiles a lane; so many, a bit for each of these */
    SPAN = STEPS_AT_ONCE * 2 * WARP
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

/* A warp together: nobody who is among the k nearest scores more than this.  Scores go without their
   signs; what is negative by rounding is within the window of 0. */
__device__ static float limit_of(sweep s, const uint16_t *least, windows w)
{
    const unsigned tiles = s.chunks * QUARTERS;
    int even = nothing, odd = nothing, kth = nothing;

#pragma unroll 4
    for (unsigned t = threadIdx.x % WARP * 2; t < tiles; t += 2 * WARP) {
        const unsigned two = *(const unsigned *)&least[t];

        even = min(even, (int)(two & 0x7fff));
        odd = min(odd, (int)(two >> 16 & 0x7fff));
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

/* Which of this lane's two tiles in each of STEPS_AT_ONCE steps from `base` on may have scores within
   the limit: of step t, bit 15 - t for the first one, and bit 31 - t. */
__device__ static unsigned reaching(sweep s, const uint16_t *least, unsigned base, float limit)
{
    const unsigned bar = (__float_as_uint(limit) >> 16) + 1, tiles = s.chunks * QUARTERS;
    unsigned reach = 0;

#pragma unroll 4
    for (unsigned step = 0; step < STEPS_AT_ONCE; step++) {
        const unsigned t = base + step * (2 * WARP) + threadIdx.x % WARP * 2;

        if (t >= tiles)
            break;
        /* With the sign bits set, nothing is borrowed from one half for the other. */
        reach |= ~((*(const unsigned *)&least[t] | 0x80008000) - bar * 0x10001) >> step &
                 0x80008000 >> step;
    }
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

/* Which of four references from j on score at most `limit`: a bit each */
__device__ static unsigned near_four(sweep s, float4 at, size_t j, float limit)
{
    const float4 x = *(const float4 *)&s.unit[0][j], y = *(const float4 *)&s.unit[1][j],
                 z = *(const float4 *)&s.unit[2][j];

    return (score(at, x.x, y.x, z.x) <= limit) | (score(at, x.y, y.y, z.y) <= limit) << 1 |
           (score(at, x.z, y.z, z.z) <= limit) << 2 | (score(at, x.w, y.w, z.w) <= limit) << 3;
}

/* A warp together, two tiles at a time: who of the tiles that `lanes` each name scores at most
   `limit` goes to list[], after `count` others.  Returns how many these are then, and more than EACH
   are not all there. */
__device__ static unsigned scan(sweep s, unsigned tile, unsigned lanes, float4 at, float limit,
                                uint32_t *list, unsigned count)
{
    const unsigned lane = threadIdx.x % WARP, second = lane / (WARP / 2);

    while (lanes != 0) {
        const unsigned others = lanes & (lanes - 1);
        const int whose = __ffs((int)(second && others ? others : lanes)) - 1;
        const unsigned j =
            __shfl_sync(all_lanes, tile, whose) * PART + lane % (WARP / 2) * (PART / (WARP / 2));
        unsigned near = second && !others ? 0 : near_four(s, at, j, limit);

        for (unsigned any; (any = __ballot_sync(all_lanes, near != 0)) != 0; near &= near - 1) {
            const unsigned place = count + __popc(any & ((1u << lane) - 1));

            if (near != 0 && place < EACH)
                list[place] = j + __ffs((int)near) - 1;
            count += __popc(any);
        }
        lanes = others & (others - 1);
    }
    return count;
}

/* A warp together: all who score at most `limit`, in the same way */
__device__ static unsigned collect(sweep s, const uint16_t *least, float4 at, float limit,
                                   uint32_t *list)
{
    unsigned count = 0;

    for (unsigned base = 0; base < s.chunks * QUARTERS; base += SPAN) {
        unsigned reach = reaching(s, least, base, limit);

        for (unsigned lanes; (lanes = __ballot_sync(all_lanes, reach != 0)) != 0;) {
            count = scan(s, first_tile(base, reach), lanes, at, limit, list, count);
            reach = without_first(reach);
        }
    }
    return count;
}

struct gathered { /* candidates of a warp's observations, one observation after another */
    uint32_t who[ROOM];
    double far[ROOM];
    uint8_t of[ROOM];          /* which observation, */
    uint16_t begin[WARP + 1];  /* where it begins, */
    double cosine[WARP];       /* and of its latitude */
};

/* How far each is, by float64, and then which rank that is: how many of the same observation come
   before it?  Observations are counted from `first` on. */
__device__ static void rank(sweep s, points obs, size_t first, gathered *g, unsigned count)
{
    const unsigned lane = threadIdx.x % WARP;

    __syncwarp();
    for (unsigned e = lane; e < count; e += WARP) {
        const unsigned of = g->of[e], j = g->who[e];

        g->far[e] = haversine(obs.lat[first + of], obs.lon[first + of], g->cosine[of], s.ref.lat[j],
                              s.ref.lon[j], s.cosine[j]);
    }
    __syncwarp();
    for (unsigned e = lane; e < count; e += WARP) {
        const unsigned of = g->of[e], who = g->who[e];
        const double far = g->far[e];
        unsigned before = 0;

        for (unsigned o = g->begin[of]; o < g->begin[of + 1]; o++)
            before += g->far[o] < far || (g->far[o] == far && g->who[o] < who);
        if (before >= s.k)
            continue;
        obs.index[(first + of) * s.k + before] = who;
        obs.distance[(first + of) * s.k + before] = (float)far;
    }
    __syncwarp();
}

/* A warp for 32 observations: one after another it finds their candidates, and as soon as there may
   be no room for those of another one, it ranks them all. */
__global__ static void __launch_bounds__(ANSWER) knn_several(sweep s, points obs, windows w)
{
    __shared__ gathered all[WARPS];
    __shared__ float4 asks[ANSWER];
    const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const size_t first = (size_t)blockIdx.x * ANSWER + warp * WARP;
    const unsigned observations = first < obs.count ? (unsigned)min(obs.count - first, (size_t)WARP) : 0;
    gathered *const g = &all[warp];

    if (lane < observations) {
        asks[threadIdx.x] = unit_vector(obs.lat[first + lane], obs.lon[first + lane]);
        g->cosine[lane] = cos((double)obs.lat[first + lane]);
    }
    __syncwarp();
    for (unsigned of = 0; of < observations;) {
        unsigned count = 0;

        for (; of < observations && count + EACH <= ROOM; of++) {
            const uint16_t *least = s.least + (first + of) * (s.chunks * QUARTERS);
            const float4 at = asks[warp * WARP + of];
            unsigned found = collect(s, least, at, limit_of(s, least, w), &g->who[count]);

            if (found > EACH) {
                if (lane == 0)
                    s.doubt[1 + atomicAdd(&s.doubt[0], 1)] = (unsigned)(first + of);
                found = 0;
                __syncwarp(); /* others will be written where these were */
            }
            for (unsigned e = lane; e < found; e += WARP)
                g->of[count + e] = (uint8_t)of;
            if (lane == 0)
                g->begin[of] = (uint16_t)count;
            count += found;
        }
        if (lane == 0)
            g->begin[of] = (uint16_t)count;
        rank(s, obs, first, g, count);
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
        const uint16_t *least = s.least + i * (s.chunks * QUARTERS);
        const float lat = obs.lat[i], lon = obs.lon[i];
        const float4 at = unit_vector(lat, lon);
        float limit = limit_of(s, least, w);
        ranked mine = {INFINITY, 0xffffffff, 8};

        for (unsigned base = 0; base < s.chunks * QUARTERS; base += SPAN) {
            unsigned reach = reaching(s, least, base, limit);

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
