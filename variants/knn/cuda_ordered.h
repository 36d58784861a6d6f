/*
 * The references in the order of cuda_order.h, as second looks read them: relative to the centre of their tile
 * (cuda_local.h), with what the haversine formula needs, and without copies of a place that cannot be neighbours.
 */
#ifndef RUNGS_KNN_CUDA_ORDERED_H
#define RUNGS_KNN_CUDA_ORDERED_H

#include <string.h>

#include "cuda_order.h" /* order, put_in_order, unit_f64 */
#include "cuda_sweep.h" /* nearest_sweep, CHUNK, TILE, WARP, all_lanes */

/* References in a group of tiles that follow each other.  32 groups hold 16384 references, and a warp asks all of them at once. */
enum { GROUP = 512, GROUP_TILES = GROUP / TILE };

static const float nowhere_near = 8; /* coordinates of an empty tile's centre */

struct alignas(16) place { /* what the haversine formula needs of a reference: one load */
    float lat, lon;
    double cosine; /* of the latitude */
};

struct ordered_sweep : nearest_sweep {
    order by_place;
    place *places;  /* [references] */
    float4 *local;  /* [tiles][TILE] relative to the tile's centre: -2 r', |r'|^2; INFINITY: there is none */
    float4 *centre; /* [tiles] and the radius: no reference of the tile is farther from it */
    vector *exact;  /* [tiles][TILE] unit vectors; nowhere_near: there is none */
    float4 *group;  /* [groups] as `centre`, of a whole group */
    unsigned groups;
};

[[maybe_unused]] static ordered_sweep ordered_new(size_t observations, size_t references)
{
    ordered_sweep s = {};

    (nearest_sweep &)s = nearest_new(observations, references);
    s.by_place = order_new(references);
    s.groups = (unsigned)((references + GROUP - 1) / GROUP);
    CUDA(cudaMalloc(&s.places, references * sizeof *s.places));
    CUDA(cudaMalloc(&s.local, (size_t)s.groups * GROUP * sizeof *s.local));
    CUDA(cudaMalloc(&s.centre, (size_t)s.groups * GROUP_TILES * sizeof *s.centre));
    CUDA(cudaMalloc(&s.exact, (size_t)s.groups * GROUP * sizeof *s.exact));
    CUDA(cudaMalloc(&s.group, s.groups * sizeof *s.group));
    return s;
}

[[maybe_unused]] static void ordered_free(ordered_sweep s)
{
    nearest_free(s);
    order_free(s.by_place);
    CUDA(cudaFree(s.places));
    CUDA(cudaFree(s.local));
    CUDA(cudaFree(s.centre));
    CUDA(cudaFree(s.exact));
    CUDA(cudaFree(s.group));
}

[[maybe_unused]] __device__ static place place_of(ordered_sweep s, size_t j)
{
    const uint4 bits = *(const uint4 *)&s.places[j];
    place at;

    memcpy(&at, &bits, sizeof at);
    return at;
}

/* Of equal places only the one with the lowest index can be the nearest. */
__device__ static bool is_copy(ordered_sweep s, size_t j)
{
    if (j == 0)
        return false;

    const uint32_t mine = s.by_place.who[j], other = s.by_place.who[j - 1];

    return s.ref.lat[mine] == s.ref.lat[other] && s.ref.lon[mine] == s.ref.lon[other];
}

/* Lowers the numbers of every thread to the least of those of the SPAN threads that it belongs to.  NAN does not count.
   room[GROUP / WARP]: shared memory. */
template <unsigned SPAN, int COUNT> __device__ static void least_of(float (&x)[COUNT], float (*room)[COUNT])
{
    const unsigned first = threadIdx.x / SPAN * (SPAN / WARP);

#pragma unroll
    for (float &one : x)
        for (unsigned step = WARP / 2; step > 0; step /= 2)
            one = fminf(one, __shfl_xor_sync(all_lanes, one, step));
#pragma unroll
    for (unsigned one = 0; one < COUNT; one++)
        if (threadIdx.x % WARP == 0)
            room[threadIdx.x / WARP][one] = x[one];
    __syncthreads();
#pragma unroll
    for (unsigned one = 0; one < COUNT; one++)
        for (unsigned w = first; w < first + SPAN / WARP; w++)
            x[one] = fminf(x[one], room[w][one]);
}

/* The ball around the SPAN references that this thread's belongs to: a centre on the sphere, but for 2^-24, and a radius that is
   rounded up.  Gives the way from the centre to this thread's reference, and its square. */
template <unsigned SPAN> __device__ static float4 ball_around(vector at, vector *to, double *square)
{
    __shared__ float box_room[GROUP / WARP][6], room[GROUP / WARP][1];
    const float x = (float)at.x, y = (float)at.y, z = (float)at.z;
    float box[6] = {x, y, z, -x, -y, -z}, nearness[1];

    least_of<SPAN>(box, box_room);

    const bool empty = isnan(box[0]);
    const double mx = box[0] - box[3], my = box[1] - box[4], mz = box[2] - box[5], length = sqrt(mx * mx + my * my + mz * mz);
    const bool around = length < 0x1p-10; /* the references surround the origin: any centre is as good */
    const float4 centre = empty    ? make_float4(nowhere_near, nowhere_near, nowhere_near, 0)
                          : around ? make_float4(1, 0, 0, 0)
                                   : make_float4((float)(mx / length), (float)(my / length), (float)(mz / length), 0);

    *to = {at.x - centre.x, at.y - centre.y, at.z - centre.z};
    *square = to->x * to->x + to->y * to->y + to->z * to->z;
    nearness[0] = -(float)sqrt(*square) * (1 + 0x1p-21f);
    least_of<SPAN>(nearness, room);
    return make_float4(centre.x, centre.y, centre.z, empty ? 0 : -nearness[0]);
}

/* Writes all that is kept of reference j in order, and returns its unit vector; NAN where there is none, or a copy.
   Whole blocks of GROUP threads call this, thread t with the t-th reference of a group. */
__device__ static float4 place_in_tile(ordered_sweep s, size_t j)
{
    const bool there = j < s.ref.count && !is_copy(s, j);
    vector at = {NAN, NAN, NAN}, to, to_group;
    double square, square_to_group;

    if (j < s.ref.count) {
        const uint32_t who = s.by_place.who[j];
        const float lat = s.ref.lat[who], lon = s.ref.lon[who];

        s.places[j] = {lat, lon, cos((double)lat)};
        if (there)
            at = unit_f64(lat, lon);
    }

    const float4 ball = ball_around<TILE>(at, &to, &square);
    const float4 group = ball_around<GROUP>(at, &to_group, &square_to_group);

    s.local[j] = there ? make_float4(-2 * (float)to.x, -2 * (float)to.y, -2 * (float)to.z, (float)square)
                       : make_float4(0, 0, 0, INFINITY);
    s.exact[j] = there ? at : vector{nowhere_near, nowhere_near, nowhere_near};
    if (threadIdx.x % TILE == 0)
        s.centre[j / TILE] = ball;
    if (threadIdx.x == 0)
        s.group[j / GROUP] = group;
    return make_float4((float)at.x, (float)at.y, (float)at.z, 0);
}

#endif
