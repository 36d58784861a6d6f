/*
 * The second half of cuda_tiled: answers each observation from the best score of every tile.
 * A lane works for one observation, but a warp reads references together, since neighbouring lanes then
 * read neighbouring addresses.
 */
#ifndef RUNGS_KNN_CUDA_TILES_H
#define RUNGS_KNN_CUDA_TILES_H

#include "cuda_exact.h" /* haversine, window, WARP, all_lanes */

enum { TILE = 256 }; /* references in a tile */
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

/* What a lane asks: which references may be nearer than its k-th. */
struct question {
    float x, y, z; /* the observation; its antipode if the k-th lies beyond a right angle, where chords hardly differ */
    float limit;   /* candidates are at most so far from (x, y, z), squared; from the antipode, more than that */
};

/* `chord` is that of the k-th.  Two unit vectors are off by 18u; the rest covers rounding. */
__device__ static float limit_of(float chord, bool beyond)
{
    const float off = chord * 0x1p-20f + 0x1.8p-20f; /* 24u */
    const float end = beyond ? fmaxf(chord - off, 0) : chord + off;

    return end * end;
}

__device__ static float square(question q, float4 point)
{
    const float dx = q.x - point.x, dy = q.y - point.y, dz = q.z - point.z;

    return dx * dx + dy * dy + dz * dz;
}

/* Shared memory of a lane: its question, and the answer, a bit for each reference of the tile */
struct alignas(16) exchange {
    question asked;
    unsigned found[TILE / WARP];
};

/* Finds the references of a tile within the limit of each lane that asks.  The warp reads a tile once, WARP references at a time:
   neighbours in memory are read by neighbours.  Then it answers the lanes that ask for this tile one after another. */
__device__ static void find_candidates(bool asks, const float4 *unit, unsigned tile, question q, exchange *warp)
{
    const unsigned lane = threadIdx.x % WARP;

    warp[lane].asked = q;
    __syncwarp(); /* all have asked */
    for (unsigned left; (left = __ballot_sync(all_lanes, asks)) != 0;) {
        const unsigned its = __shfl_sync(all_lanes, tile, __ffs((int)left) - 1);
        float4 point[TILE / WARP];

#pragma unroll
        for (unsigned w = 0; w < TILE / WARP; w++)
            point[w] = unit[(size_t)its * TILE + w * WARP + lane];
        for (left = __ballot_sync(all_lanes, asks && tile == its); left != 0; left &= left - 1) {
            const unsigned who = (unsigned)__ffs((int)left) - 1;
            const question its_question = warp[who].asked;

#pragma unroll
            for (unsigned w = 0; w < TILE / WARP; w++) {
                const unsigned near =
                    __ballot_sync(all_lanes, square(its_question, point[w]) <= its_question.limit);

                if (lane == 0)
                    warp[who].found[w] = near;
            }
        }
        asks = asks && tile != its;
    }
    __syncwarp(); /* all are answered */
}

/* Answers the observation at (lat, lon), whose unit vector is `at`, from the best scores of so many
   tiles: best[0], best[stride], ...  Only references of tiles that reach into the window are looked
   at again.  Where points crowd, these are all, since a cosine hardly tells near points apart.  A chord does: only
   references that may be nearer than the k-th so far get the haversine formula, in float64.  Whole warps
   must come here, each lane with an observation; a lane without one has no tiles. */
[[maybe_unused]] __device__ static void
answer_by_tiles(struct references ref, size_t k, float lat, float lon, float4 at, const float *best,
                size_t tiles, size_t stride, exchange *warp, uint32_t *index, float *distance)
{
    const float kth = kth_largest(best, tiles, stride, k), least = kth - window;
    const bool beyond = kth < 0;
    const float side = beyond ? -1 : 1;
    question q = {side * at.x, side * at.y, side * at.z,
                  limit_of(sqrtf(fmaxf(2 * (1 - side * least) + side * window, 0)), beyond)};
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
        const unsigned *const found = warp[threadIdx.x % WARP].found;

        find_candidates(reach != 0, ref.unit, its, q, warp);

        for (unsigned w = 0, near = 0; reach != 0;) {
            while (near == 0 && w < TILE / WARP)
                near = beyond ? ~found[w++] : found[w++];
            if (near == 0)
                break;

            const size_t candidate = (size_t)its * TILE + (w - 1) * WARP + (size_t)__ffs((int)near) - 1;
            const float far = square(q, ref.unit[candidate]);

            near &= near - 1;
            if (!(beyond ? far > q.limit : far <= q.limit))
                continue; /* the limit has fallen since, or there is no such reference (NaN) */

            const float its_lat = ref.lat[candidate], its_lon = ref.lon[candidate];

            if (its_lat == lat_of_kth && its_lon == lon_of_kth)
                continue; /* a copy of the k-th is no nearer */

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
                const float half = (float)farthest / 2,
                            now = limit_of(2 * (beyond ? cosf(half) : sinf(half)), beyond);

                lat_of_kth = ref.lat[who[k - 1]];
                lon_of_kth = ref.lon[who[k - 1]];
                q.limit = beyond ? fmaxf(q.limit, now) : fminf(q.limit, now);
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
