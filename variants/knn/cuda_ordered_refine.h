/*
 * For cuda_ordered: finds the nearest reference after the sweep, in two steps.
 *
 *     answer()     all observations, a warp for 32 of them: exactly one tile is a candidate, and in
 *                  it exactly one reference.  That is the answer.  Others go to doubt[]
 *     knn_ordered_refine   a warp for each of doubt[]: the tiles that the sweep has found; or all, by way of
 *                  groups, where many are in question.  Most have a single candidate now.  Between several,
 *                  float64 decides: up to LISTED are listed, and a lane decides for each observation of 32;
 *                  where there are more, the whole warp decides at once
 *
 * A tile is a candidate if its score is within 2E of the best, where E is the sweep's; a reference, if its local score
 * is, where E is that of cuda_local.h.
 */
#ifndef RUNGS_KNN_CUDA_ORDERED_REFINE_H
#define RUNGS_KNN_CUDA_ORDERED_REFINE_H

#include "cuda_groups.h"     /* tiles, near_tile, tiles_within; local_of, local_score */
#include "cuda_refine.h"     /* best_of, nowhere, plain_haversine, ANSWER, REFINERS */

enum { LISTED = 7 }; /* candidates that are listed, at most */

/* Compares the reference at `position` in order with the nearest so far, in float64. */
__device__ static void compare_f64(ordered_sweep s, points obs, size_t i, unsigned position, nearest_f64 *nearest)
{
    const place to = place_of(s, position);
    const double lat = obs.lat[i], lon = obs.lon[i];

    keep_nearer(nearest, haversine(lat, lon, cos(lat), to.lat, to.lon, to.cosine), s.by_place.who[position]);
}

__device__ static void write_answer(points obs, size_t i, nearest_f64 nearest)
{
    obs.index[i] = nearest.who;
    obs.distance[i] = (float)nearest.far;
}

/* Writes the only candidate, at `position` in order. */
__device__ static void write_answer(ordered_sweep s, points obs, size_t i, unsigned position)
{
    const place at = place_of(s, position);

    obs.index[i] = s.by_place.who[position];
    obs.distance[i] = plain_haversine(obs.lat[i], obs.lon[i], at.lat, at.lon);
}

/* --- the first step ----------------------------------------------------------------------------- */

/* The first step, for observation i of each lane.  The warp takes its 32 observations one after another,
   and each lane scores two of the tile's 64 references, so that loads are contiguous.  asks[WARP]:
   shared memory of this warp.  The unit vector of float32 is off by 9u, hence 18u for two references at |r'| each. */
__device__ static void answer(ordered_sweep s, points obs, size_t i, float4 *asks)
{
    const bool mine = i < obs.count;
    const unsigned lane = threadIdx.x % WARP;
    const uint4 none = make_uint4(NOWHERE, NOWHERE, NOWHERE, NOWHERE),
                before = mine ? s.found[2 * i] : none, in = mine ? s.found[2 * i + 1] : none;
    const unsigned tile = min(best_of(before), best_of(in));
    const bool one = tile < CROWDED && nowhere(before) + nowhere(in) == 2 * QUARTERS - 1;
    const unsigned its = one ? tile : 0;
    unsigned near_a = 0, near_b = 0;

    if (__any_sync(all_lanes, one)) {
        const float4 at = unit_vector(mine ? obs.lat[i] : 0, mine ? obs.lon[i] : 0), c = s.centre[its];
        const float x = at.x - c.x, y = at.y - c.y, z = at.z - c.z;
        const float error = 18 * 0x1p-24f * c.w + local_error(sqrtf(x * x + y * y + z * z), c.w);

        asks[lane] = make_float4(x, y, z, 2 * error);
        __syncwarp();
#pragma unroll 16 /* loads under way at once */
        for (unsigned who = 0; who < WARP; who++) {
            const float4 d = asks[who];
            const float4 *const local = s.local + __shfl_sync(all_lanes, its, (int)who) * TILE + lane;
            const float a = local_score(d.x, d.y, d.z, local[0]),
                        b = local_score(d.x, d.y, d.z, local[WARP]);
            const float limit = warp_least(fminf(a, b)) + d.w;
            const unsigned in_a = __ballot_sync(all_lanes, a <= limit);
            const unsigned in_b = __ballot_sync(all_lanes, b <= limit);

            if (lane == who) {
                near_a = in_a;
                near_b = in_b;
            }
        }
    }
    if (!mine)
        return;
    if (!one || __popc(near_a) + __popc(near_b) != 1)
        s.doubt[1 + atomicAdd(&s.doubt[0], 1)] = (unsigned)i;
    else
        write_answer(s, obs, i,
                     tile * TILE + (near_a != 0 ? __ffs((int)near_a) - 1 : WARP + __ffs((int)near_b) - 1));
}

/* --- the second step: a warp for an observation --------------------------------------------------- */

struct look { /* a lane has its own: two of the references of each tile that the warp has scored */
    float limit;          /* of all lanes: the nearest scores no more */
    float first, second;  /* the least two scores less their errors */
    unsigned who;         /* whose `first` is */
};

__device__ static void take(look *l, float score, unsigned who)
{
    l->second = fminf(l->second, fmaxf(l->first, score));
    l->who = score < l->first ? who : l->who;
    l->first = fminf(l->first, score);
}

/* Scores two references of a tile, `mine` and the one a warp further.  If the tile is so wide that its local scores cannot tell
   apart what lies as near as `limit`, as where it reaches from one town to the next, float64 computes the scores. */
__device__ static bool is_wide(local_tile t, const looker &o, float limit)
{
    return t.error > (o.far * o.far + limit) / 8;
}

struct two {
    float score[2], error[2];
};

__device__ static two score_locally(ordered_sweep s, local_tile t, unsigned mine)
{
    return {{local_score(t.x, t.y, t.z, s.local[mine]) + t.offset,
             local_score(t.x, t.y, t.z, s.local[mine + WARP]) + t.offset},
            {t.error, t.error}};
}

__device__ static double square(vector v)
{
    return v.x * v.x + v.y * v.y + v.z * v.z;
}

__device__ static two score_in_f64(ordered_sweep s, unsigned mine, const looker &o)
{
    two its;

#pragma unroll
    for (unsigned half = 0; half < 2; half++) {
        const vector r = s.exact[mine + half * WARP];
        const double far = square({o.at.q.x - r.x, o.at.q.y - r.y, o.at.q.z - r.z});

        its.score[half] = (float)(far - o.base);
        its.error[half] = 0x1p-22f * fabsf(its.score[half]) + 1e-14f * sqrtf((float)far) + 1e-28f;
    }
    return its;
}

/* Scores a tile.  A whole warp calls this, with the same arguments. */
__device__ static void look_at(look *l, ordered_sweep s, local_tile t, unsigned tile, const looker &o)
{
    const unsigned mine = tile * TILE + threadIdx.x % WARP;
    two its = score_locally(s, t, mine);

    l->limit = fminf(l->limit, warp_least(fminf(its.score[0], its.score[1])) + t.error);
    if (is_wide(t, o, l->limit)) {
        its = score_in_f64(s, mine, o);
        l->limit = fminf(l->limit, warp_least(fminf(its.score[0] + its.error[0], its.score[1] + its.error[1])));
    }
    take(l, its.score[0] - its.error[0], mine);
    take(l, its.score[1] - its.error[1], mine + WARP);
}

/* Calls f(near, position) for all references of the tiles within the limit, one of each lane at a time; a whole warp calls
   this.  near: is the reference a candidate? */
template <class F> __device__ static void candidates(tiles in, ordered_sweep s, const looker &o, float limit, F f)
{
    tiles_within(in, s, o, limit, [&](local_tile t, unsigned tile) {
        const unsigned at = tile * TILE + threadIdx.x % WARP;
        const two of = is_wide(t, o, limit) ? score_in_f64(s, at, o) : score_locally(s, t, at);

        for (unsigned half = 0; half < 2; half++)
            f(of.score[half] - of.error[half] <= limit, at + half * WARP);
    });
}

/* Finds the candidates of observation i.  Lists up to LISTED in who[], and returns how many there are; more are not listed:
   then float64 has decided, and the answer is written.  A whole warp calls this. */
__device__ static unsigned look_again(tiles in, ordered_sweep s, points obs, size_t i, const asked &q, unsigned *who)
{
    looker o = {q, {}, {}, 0, 0};
    const unsigned first = near_tile(in, s, o), below = (1u << threadIdx.x % WARP) - 1;
    look l = {INFINITY, INFINITY, INFINITY, 0};
    unsigned count = 0;

    look_from(&o, s.centre[first]);
    look_at(&l, s, local_of(o.centre, o), first, o);
    tiles_within(in, s, o, l.limit, [&](local_tile t, unsigned tile) {
        if (tile != first)
            look_at(&l, s, t, tile, o);
    });

    const auto list = [&](bool near, unsigned position) {
        const unsigned lanes = __ballot_sync(all_lanes, near), place = count + __popc((int)(lanes & below));

        if (near && place < LISTED)
            who[place] = position;
        count += __popc((int)lanes);
    };

    if (__any_sync(all_lanes, l.second <= l.limit)) /* a lane has scored several of them */
        candidates(in, s, o, l.limit, list);
    else
        list(l.first <= l.limit, l.who);
    if (count > LISTED) {
        nearest_f64 nearest = {INFINITY, 0};

        candidates(in, s, o, l.limit, [&](bool near, unsigned position) {
            if (near)
                compare_f64(s, obs, i, position, &nearest);
        });
        nearest_of_lanes(&nearest, WARP);
        if (threadIdx.x % WARP == 0)
            write_answer(obs, i, nearest);
    }
    return count;
}

/* Answers the observations of a list, list[0] of them.  A warp has up to 32 at a time, and all warps about as many: a lane for each
   unit vector and each decision, all lanes for each look.  found: eight entries for each observation; NULL: all tiles are in
   question. */
__device__ static void refine_listed(ordered_sweep s, points obs, const unsigned *list, const unsigned *found)
{
    __shared__ asked asks[ANSWER];
    __shared__ unsigned listed[ANSWER][LISTED];
    const unsigned lane = threadIdx.x % WARP, warps = gridDim.x * (ANSWER / WARP), doubts = list[0];
    const unsigned turns = (doubts + warps * WARP - 1) / (warps * WARP), mine = threadIdx.x - lane;
    const unsigned each = doubts == 0 ? 1 : (doubts + warps * turns - 1) / (warps * turns);

    for (unsigned d = (blockIdx.x * ANSWER + threadIdx.x) / WARP * each; d < doubts; d += warps * each) {
        const unsigned count = min(each, doubts - d);
        const unsigned i = list[1 + d + min(lane, count - 1)];
        unsigned candidates = 0;

        if (lane < count)
            asks[threadIdx.x] = asked_of(unit_f64(obs.lat[i], obs.lon[i]));
        __syncwarp();
        for (unsigned a = 0; a < count; a++) {
            const unsigned who = __shfl_sync(all_lanes, i, (int)a);
            const tiles in = found == NULL ? tiles{NOWHERE, ~0u} : tiles_of(found + (size_t)who * (2 * QUARTERS));
            const unsigned its = look_again(in, s, obs, who, asks[mine + a], listed[mine + a]);

            candidates = lane == a ? its : candidates;
        }
        __syncwarp();
        if (candidates == 1) {
            write_answer(s, obs, i, listed[threadIdx.x][0]);
        } else if (candidates > 1 && candidates <= LISTED) {
            nearest_f64 nearest = {INFINITY, 0};

            for (unsigned c = 0; c < candidates; c++)
                compare_f64(s, obs, i, listed[threadIdx.x][c], &nearest);
            write_answer(obs, i, nearest);
        }
        __syncwarp(); /* all lanes are done with the lists */
    }
}

__global__ static void __launch_bounds__(ANSWER) knn_ordered_refine(ordered_sweep s, points obs)
{
    refine_listed(s, obs, s.doubt, (const unsigned *)s.found);
}

/* As many blocks as are on the device at a time: more would leave most of it idle at the end. */
template <void (*KERNEL)(ordered_sweep, points)> static unsigned resident_blocks(void)
{
    static unsigned blocks; /* every call needs it */
    int device, processors, each;

    if (blocks == 0) {
        CUDA(cudaGetDevice(&device));
        CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
        CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, KERNEL, ANSWER, 0));
        blocks = (unsigned)(processors * each);
    }
    return blocks;
}

/* The second step */
[[maybe_unused]] static void refine_doubts(ordered_sweep s, points obs, cudaStream_t stream)
{
    knn_ordered_refine<<<resident_blocks<knn_ordered_refine>(), ANSWER, 0, stream>>>(s, obs);
    CUDA(cudaGetLastError());
}

#endif
