/*
 * For cuda_ordered_refine.h: which tiles a second look goes through.
 *
 * A sweep leaves eight entries for an observation (cuda_sweep.h): of each eighth the only tile that is a candidate, or that several
 * are.  If few eighths are crowded, a look asks each of their tiles whether it can be near enough.  If many are, it asks
 * groups of tiles first.  Either way a lane asks a tile or a group, 32 at a time.
 */
#ifndef RUNGS_KNN_CUDA_GROUPS_H
#define RUNGS_KNN_CUDA_GROUPS_H

#include "cuda_local.h" /* looker, local_tile, local_of, from_centre, dot */

/* Which tiles a warp goes through for an observation: of each eighth of the sweep the only candidate, one in each of eight lanes, and
   all tiles of each crowded eighth.  Where more than FEW are crowded, all tiles, by way of groups. */
struct tiles {
    unsigned found;   /* of this lane: a tile, or NOWHERE */
    unsigned crowded; /* of all lanes: a bit for each eighth */
};

enum { FEW = 2 };

__device__ static bool are_few(tiles in)
{
    return __popc((int)in.crowded) <= FEW;
}

__device__ static tiles tiles_of(const unsigned *found)
{
    const unsigned lane = threadIdx.x % WARP, entry = lane < 2 * QUARTERS ? found[lane] : NOWHERE;

    return {entry < CROWDED ? entry : NOWHERE, __ballot_sync(all_lanes, entry >= CROWDED && entry != NOWHERE)};
}

/* Calls f(a tile of this lane, or NOWHERE) for few tiles, 32 at a time. */
template <class F> __device__ static void few_tiles(tiles in, ordered_sweep s, F f)
{
    f(in.found);
    for (unsigned left = in.crowded; left != 0; left &= left - 1) {
        const unsigned eighth = (unsigned)__ffs((int)left) - 1, end = eighth < QUARTERS ? s.middle : s.chunks;

        for (unsigned chunk = eighth < QUARTERS ? 0 : s.middle; chunk < end; chunk += WARP) {
            const unsigned mine = chunk + threadIdx.x % WARP;

            f(mine < end ? mine * QUARTERS + eighth % QUARTERS : NOWHERE);
        }
    }
}

/* The tile, or group, of the lane with the least number, which is not negative */
__device__ static unsigned of_least(float number, unsigned its)
{
    const int bits = __float_as_int(number);

    return __shfl_sync(all_lanes, its, __ffs((int)__ballot_sync(all_lanes, bits == warp_min(bits))) - 1);
}

/* Tiles of the four groups with the nearest centres, one in each lane */
__device__ static unsigned tile_of_near_groups(ordered_sweep s, const looker &o)
{
    const unsigned lane = threadIdx.x % WARP;
    float least = INFINITY;
    unsigned which = 0, mine = 0;

    for (unsigned i = lane; i < s.groups; i += WARP) {
        const float3 d = from_centre(o, s.group[i]);
        const float square = dot(d, d);

        which = square < least ? i : which;
        least = fminf(least, square);
    }
    __syncwarp();
#pragma unroll
    for (unsigned beside = 0; beside < WARP / GROUP_TILES; beside++) {
        const unsigned group = of_least(least, which);

        mine = lane / GROUP_TILES == beside ? group * GROUP_TILES + lane % GROUP_TILES : mine;
        least = which == group ? INFINITY : least;
    }
    return mine;
}

/* A tile near the observation, most often the nearest: any would do, and a near one leaves out most others. */
__device__ static unsigned near_tile(tiles in, ordered_sweep s, const looker &o)
{
    float least = INFINITY;
    unsigned which = 0;
    const auto take = [&](unsigned mine) {
        const float3 d = from_centre(o, s.centre[mine == NOWHERE ? 0 : mine]);
        const float square = mine == NOWHERE ? INFINITY : dot(d, d);

        which = square < least ? mine : which;
        least = fminf(least, square);
    };

    if (are_few(in))
        few_tiles(in, s, take);
    else
        take(tile_of_near_groups(s, o));
    return of_least(least, which);
}

/* Calls f(tile as the observation has it, its number) for each lane's tile, if there is one and it may have a reference within the
   limit, which may fall meanwhile. */
template <class F> __device__ static void tiles_of_lanes(unsigned mine, ordered_sweep s, const looker &o, const float &limit, F f)
{
    const local_tile its = local_of(s.centre[mine == NOWHERE ? 0 : mine], o);
    unsigned within = __ballot_sync(all_lanes, mine != NOWHERE && its.least <= limit);

    while (within != 0) {
        const int from = __ffs((int)within) - 1;

        f(local_from(its, from), __shfl_sync(all_lanes, mine, from));
        within &= within - 1;
        within &= __ballot_sync(all_lanes, its.least <= limit);
    }
}

/* The same for all tiles in question.  Of all tiles a lane asks a group; then the lanes ask the tiles of four such groups at a time. */
template <class F> __device__ static void tiles_within(tiles in, ordered_sweep s, const looker &o, const float &limit, F f)
{
    const unsigned lane = threadIdx.x % WARP;

    if (are_few(in)) {
        few_tiles(in, s, [&](unsigned mine) { tiles_of_lanes(mine, s, o, limit, f); });
        return;
    }
    for (unsigned begin = 0; begin < s.groups; begin += WARP) {
        const unsigned group = begin + lane;
        unsigned groups = __ballot_sync(all_lanes, group < s.groups && local_of(s.group[min(group, s.groups - 1)], o).least <= limit);

        while (groups != 0) {
            unsigned mine = NOWHERE;

#pragma unroll
            for (unsigned beside = 0; beside < WARP / GROUP_TILES; beside++) {
                if (groups != 0 && lane / GROUP_TILES == beside)
                    mine = (begin + __ffs((int)groups) - 1) * GROUP_TILES + lane % GROUP_TILES;
                groups &= groups - 1; /* of none: none */
            }
            tiles_of_lanes(mine, s, o, limit, f);
        }
    }
}

#endif
