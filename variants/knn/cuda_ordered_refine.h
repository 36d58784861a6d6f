/*
 * For cuda_ordered: finds the nearest reference after the sweep, in two steps.
 *
 *     answer()     all observations, a warp for 32 of them: exactly one tile is a candidate, and in
 *                  it exactly one reference.  That is the answer.  Others go to doubt[]
 *     knn_ordered_refine   eight lanes for each of doubt[]: all tiles that can be near enough, by way of groups of tiles.  Most have a
 *                  single candidate now.  Between several, float64 decides
 *
 * A tile is a candidate if its score is within 2E of the best, where E is the sweep's; a reference, if its local score
 * is, where E is that of cuda_local.h.
 */
#ifndef RUNGS_KNN_CUDA_ORDERED_REFINE_H
#define RUNGS_KNN_CUDA_ORDERED_REFINE_H

#include "cuda_local.h"      /* local_of, local_score */
#include "cuda_refine.h"     /* best_of, nowhere, plain_haversine, ANSWER, REFINERS */

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

/* --- the second step: a team of eight lanes for an observation --------------------------------------- */

/* Lanes for an observation, each with an eighth of the sweep or a tile of a group; observations of a warp */
enum { TEAM = GROUP_TILES, TEAMS = WARP / TEAM };
static_assert(TEAM == 2 * QUARTERS, "a lane for each entry of found[]");

/* A lane's number in its team */
__device__ static unsigned member(void)
{
    return threadIdx.x % TEAM;
}

/* A bit for each lane of this lane's team.  Whole warps call this and what follows. */
__device__ static unsigned team_bits(bool bit)
{
    return __ballot_sync(all_lanes, bit) >> (threadIdx.x % WARP - member()) & ((1u << TEAM) - 1);
}

template <class T> __device__ static T from_team(T x, unsigned whose)
{
    return __shfl_sync(all_lanes, x, (int)whose, TEAM);
}

__device__ static float team_least(float x)
{
#pragma unroll
    for (unsigned step = TEAM / 2; step > 0; step /= 2)
        x = fminf(x, __shfl_xor_sync(all_lanes, x, step));
    return x;
}

/* The number of the lowest bit; of no bits, any */
__device__ static unsigned lowest(unsigned bits)
{
    return ((unsigned)__ffs((int)bits) - 1) % WARP;
}

/* The tiles that a team has yet to look at: of each lane, either one that the sweep has found, or some of those that are the
   lane's in their groups, a bit for each of 32 groups. */
struct queue {
    unsigned found; /* or NOWHERE */
    unsigned bits, begin; /* the groups, and the first of the 32 */
};

__device__ static unsigned next_of(const queue &q)
{
    return q.found != NOWHERE ? q.found : (q.begin + lowest(q.bits)) * GROUP_TILES + member();
}

/* Calls f(is there a tile?, the tile as the observation has it, its number) for each tile of the queue that may have a reference
   within the limit, which may fall meanwhile.  All teams of a warp go on until the last has none. */
template <class F> __device__ static void empty_queue(queue q, ordered_sweep s, const looker &o, const float &limit, F f)
{
    while (__any_sync(all_lanes, q.bits != 0)) {
        const unsigned lanes = team_bits(q.bits != 0), whose = lowest(lanes) % TEAM;
        const unsigned next = from_team(next_of(q), whose), tile = lanes == 0 ? 0 : next;
        const local_tile its = local_of(s.centre[tile], o);
        const bool there = lanes != 0 && its.least <= limit;

        if (member() == whose)
            q.bits &= q.bits - 1;
        if (__any_sync(all_lanes, there))
            f(there, its, tile);
    }
}

/* The same for all tiles of a team that goes through all of them, and those that the sweep has found of a team that does not.  A lane
   asks a group of tiles; then the lanes ask the tiles of each group that is near enough. */
template <class F>
__device__ static void tiles_within(bool all, unsigned found, ordered_sweep s, const looker &o, const float &limit, F f)
{
    const bool any = __any_sync(all_lanes, all);

    for (unsigned begin = 0; begin == 0 || (any && begin < s.groups); begin += WARP) {
        queue q = {all ? NOWHERE : found, begin == 0 && !all && found != NOWHERE, begin};
        unsigned groups = 0; /* a bit for each */

        if (any)
#pragma unroll
            for (unsigned g = 0; g < WARP; g += TEAM) {
                const unsigned group = begin + g + member();
                const float4 ball = s.group[min(group, s.groups - 1)];

                groups |= team_bits(all && group < s.groups && local_of(ball, o).least <= limit) << g;
            }
        for (; __any_sync(all_lanes, groups != 0); groups &= groups - 1) {
            const unsigned first = (groups == 0 ? 0 : begin + lowest(groups)) * GROUP_TILES;

            if (groups != 0 && local_of(s.centre[first + member()], o).least <= limit)
                q.bits |= groups & -groups;
        }
        empty_queue(q, s, o, limit, f);
    }
}

/* Which of some balls has the nearest centre, but for roundings; each lane asks for every eighth of them */
__device__ static unsigned nearest_ball(const looker &o, const float4 *ball, unsigned first, unsigned end)
{
    float least = INFINITY;
    unsigned which = 0;

    for (unsigned i = first; i < end; i += TEAM) {
        const float3 d = from_centre(o, ball[i]);
        const float square = dot(d, d);

        which = square < least ? i : which;
        least = fminf(least, square);
    }
    __syncwarp();
    return from_team(which, lowest(team_bits(least == team_least(least))) % TEAM);
}

/* A tile near the observation, most often the nearest: any would do, and a near one leaves out most others. */
__device__ static unsigned near_tile(bool all, unsigned found, ordered_sweep s, const looker &o)
{
    unsigned first = found;

    if (__any_sync(all_lanes, all)) {
        const unsigned its = nearest_ball(o, s.group, member(), s.groups) * GROUP_TILES + member();

        first = all ? its : first;
    }
    return nearest_ball(o, s.centre, first, first == NOWHERE ? 0 : first + 1);
}

/* What a lane has scored: every eighth reference of its team's tiles */
struct look {
    float limit;         /* of the team: the nearest scores no more */
    float first, second; /* the least two scores less their errors */
    unsigned who;        /* whose `first` is */
};

enum { ITS = TILE / TEAM }; /* references of a tile, for a lane */

struct scores_of_lane {
    float score[ITS], error[ITS];
};

/* Is the tile so wide that its local scores cannot tell apart what lies as near as `limit`, as where it reaches from one town
   to the next?  Then float64 computes the scores. */
__device__ static bool is_wide(local_tile t, const looker &o, float limit)
{
    return t.error > (o.far * o.far + limit) / 8;
}

__device__ static scores_of_lane score_locally(ordered_sweep s, local_tile t, unsigned mine)
{
    scores_of_lane its;

#pragma unroll
    for (unsigned j = 0; j < ITS; j++) {
        its.score[j] = local_score(t.x, t.y, t.z, s.local[mine + j * TEAM]) + t.offset;
        its.error[j] = t.error;
    }
    return its;
}

__device__ static double square(vector v)
{
    return v.x * v.x + v.y * v.y + v.z * v.z;
}

__device__ static void score_in_f64(scores_of_lane *its, ordered_sweep s, unsigned mine, const looker &o)
{
#pragma unroll
    for (unsigned j = 0; j < ITS; j++) {
        const vector r = s.exact[mine + j * TEAM];
        const double far = square({o.at.q.x - r.x, o.at.q.y - r.y, o.at.q.z - r.z});
        const float score = (float)(far - o.base);

        its->score[j] = score;
        its->error[j] = 0x1p-22f * fabsf(score) + 1e-14f * sqrtf((float)far) + 1e-28f;
    }
}

__device__ static float least_of_lane(const scores_of_lane &its)
{
    float least = INFINITY;

#pragma unroll
    for (unsigned j = 0; j < ITS; j++)
        least = fminf(least, its.score[j] + its.error[j]);
    return least;
}

/* Scores a tile, if there is one. */
__device__ static void look_at(look *l, ordered_sweep s, bool there, local_tile t, unsigned tile, const looker &o)
{
    const unsigned mine = tile * TILE + member();
    scores_of_lane its = score_locally(s, t, mine);
    const float limit = fminf(l->limit, team_least(least_of_lane(its)));
    const bool wide = there && is_wide(t, o, limit);

    l->limit = there ? limit : l->limit;
    if (__any_sync(all_lanes, wide)) {
        if (wide)
            score_in_f64(&its, s, mine, o);
        __syncwarp();

        const float exact = fminf(l->limit, team_least(least_of_lane(its)));
        l->limit = wide ? exact : l->limit;
    }
#pragma unroll
    for (unsigned j = 0; j < ITS; j++) {
        const float score = there ? its.score[j] - its.error[j] : INFINITY;

        l->second = fminf(l->second, fmaxf(l->first, score));
        l->who = score < l->first ? mine + j * TEAM : l->who;
        l->first = fminf(l->first, score);
    }
}

/* Compares all candidates in float64, those of this lane. */
__device__ static void compare_candidates(bool all, unsigned found, ordered_sweep s, points obs, size_t i, const looker &o,
                                          float limit, nearest_f64 *nearest)
{
    tiles_within(all, found, s, o, limit, [&](bool there, local_tile t, unsigned tile) {
        const unsigned mine = tile * TILE + member();
        scores_of_lane its = score_locally(s, t, mine);

        if (there && is_wide(t, o, limit))
            score_in_f64(&its, s, mine, o);

        unsigned near = 0;
#pragma unroll
        for (unsigned j = 0; j < ITS; j++)
            near |= (unsigned)(there && its.score[j] - its.error[j] <= limit) << j;
        for (; near != 0; near &= near - 1)
            compare_f64(s, obs, i, mine + lowest(near) * TEAM, nearest);
        __syncwarp();
    });
}

/* Answers observation i, if `there`.  Most have a single candidate.  Between several, float64 decides.  found: a lane has the
   entry of an eighth. */
__device__ static void look_again(ordered_sweep s, points obs, size_t i, bool there, unsigned found, const asked &q)
{
    looker o = {q, {}, {}, 0, 0};
    const bool all = team_bits(found >= CROWDED && found != NOWHERE) != 0; /* an eighth is crowded */
    const unsigned first = near_tile(all, found, s, o);
    look l = {INFINITY, INFINITY, INFINITY, 0};

    look_from(&o, s.centre[first]);
    look_at(&l, s, true, local_of(o.centre, o), first, o);
    tiles_within(all, found, s, o, l.limit, [&](bool more, local_tile t, unsigned tile) { look_at(&l, s, more && tile != first, t, tile, o); });

    const bool near = l.first <= l.limit;
    const unsigned lanes = team_bits(near);
    const bool again = team_bits(l.second <= l.limit) != 0; /* a lane has scored several */
    const bool single = !again && __popc((int)lanes) == 1;
    nearest_f64 nearest = {INFINITY, 0};

    if (__any_sync(all_lanes, again))
        compare_candidates(all, found, s, obs, i, o, again ? l.limit : -INFINITY, &nearest);
    if (near && single && there)
        write_answer(s, obs, i, l.who);
    if (__all_sync(all_lanes, single))
        return;
    if (near && !single && !again)
        compare_f64(s, obs, i, l.who, &nearest);
    __syncwarp();
    nearest_of_lanes(&nearest, TEAM);
    if (!single && there && member() == 0)
        write_answer(obs, i, nearest);
}

/* Answers the observations of a list, list[0] of them.  A warp has up to 32 at a time, and all warps about as many: a lane for each
   unit vector, a team for each look.  entries: eight for each observation, as found[]; NULL: all tiles are in question. */
__device__ static void refine_listed(ordered_sweep s, points obs, const unsigned *list, const unsigned *entries)
{
    __shared__ asked asks[ANSWER];
    const unsigned lane = threadIdx.x % WARP, warps = gridDim.x * (ANSWER / WARP), doubts = list[0];
    const unsigned turns = (doubts + warps * WARP - 1) / (warps * WARP), mine = threadIdx.x - lane;
    const unsigned even = doubts == 0 ? 1 : (doubts + warps * turns - 1) / (warps * turns);
    const unsigned each = (even + TEAMS - 1) / TEAMS * TEAMS;

    for (unsigned d = (blockIdx.x * ANSWER + threadIdx.x) / WARP * each; d < doubts; d += warps * each) {
        const unsigned count = min(each, doubts - d), i = list[1 + d + min(lane, count - 1)];

        asks[threadIdx.x] = asked_of(unit_f64(obs.lat[i], obs.lon[i]));
        __syncwarp();
        for (unsigned a = 0; a < count; a += TEAMS) {
            const unsigned of = min(a + lane / TEAM, count - 1), who = __shfl_sync(all_lanes, i, (int)of);
            const unsigned found = entries == NULL ? CROWDED : entries[(size_t)who * TEAM + member()];

            look_again(s, obs, who, a + lane / TEAM < count, found, asks[mine + of]);
        }
        __syncwarp(); /* all lanes are done with asks[] */
    }
}

__global__ static void __launch_bounds__(ANSWER) knn_ordered_refine(ordered_sweep s, points obs)
{
    refine_listed(s, obs, s.doubt, (const unsigned *)s.found);
}

/* As many blocks as are on the device at a time: more would leave most of it idle at the end. */
static unsigned resident_blocks(void (*kernel)(ordered_sweep, points))
{
    static unsigned blocks; /* a variant calls this for one kernel */
    int device, processors, each;

    if (blocks == 0) {
        CUDA(cudaGetDevice(&device));
        CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
        CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, ANSWER, 0));
        blocks = (unsigned)(processors * each);
    }
    return blocks;
}

/* The second step */
[[maybe_unused]] static void refine_doubts(ordered_sweep s, points obs, cudaStream_t stream)
{
    knn_ordered_refine<<<resident_blocks(knn_ordered_refine), ANSWER, 0, stream>>>(s, obs);
    CUDA(cudaGetLastError());
}

#endif
