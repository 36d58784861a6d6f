/*
 * What cuda_settle.h leaves in question after two looks, float64 decides: among a few candidates
 * that are written down, or among all references that score at most a limit.
 */
#ifndef RUNGS_KNN_CUDA_DECIDE_H
#define RUNGS_KNN_CUDA_DECIDE_H

#include "cuda_sweep.h" /* sweep, points, near_four; haversine, nearest_so_far, decide, WARP */

enum { SOME = 3 };                     /* candidates that are written down */
enum { DECIDE = 512, DECIDERS = 512 }; /* threads in a block; blocks */

/* A block together: all references.  At a pole, say, all longitudes are one place, so candidates lie
   in tiles all over, and a warp would go from one to the other while all others are done. */
__device__ static void look_everywhere(sweep s, points obs, size_t i)
{
    enum { LOADS = 8 };
    __shared__ nearest_so_far of[DECIDE / WARP];
    const size_t references = (size_t)s.chunks * CHUNK;
    const float limit = __uint_as_float(s.found[2 * i].y), lat = obs.lat[i], lon = obs.lon[i];
    const float4 at = unit_vector(lat, lon);
    nearest_so_far c = {INFINITY, 0};

    for (size_t from = threadIdx.x * FOUR; from < references; from += LOADS * DECIDE * FOUR) {
        unsigned near = 0;

#pragma unroll
        for (unsigned load = 0; load < LOADS; load++) {
            const size_t j = from + load * DECIDE * FOUR;

            if (j < references)
                near |= near_four(s, at, j, limit) << load * FOUR;
        }
        for (; near != 0; near &= near - 1) {
            const unsigned bit = __ffs((int)near) - 1;
            const size_t j = from + bit / FOUR * (DECIDE * FOUR) + bit % FOUR;

            decide(&c, haversine(lat, lon, s.ref.lat[j], s.ref.lon[j]), (unsigned)j);
        }
    }
    decide_among(&c, WARP);
    if (threadIdx.x % WARP == 0)
        of[threadIdx.x / WARP] = c;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (const nearest_so_far &warps : of)
            decide(&c, warps.far, warps.who);
        obs.index[i] = c.who;
        obs.distance[i] = (float)c.far;
    }
    __syncthreads();
}

/* Four lanes an observation: the candidates that were written down. */
__device__ static void decide_some(sweep s, points obs)
{
    const unsigned lane = threadIdx.x % FOUR, fours = gridDim.x * (DECIDE / FOUR);

    for (unsigned d = (blockIdx.x * DECIDE + threadIdx.x) / FOUR; d < s.doubt[0]; d += fours) {
        const size_t i = s.doubt[1 + d];
        const uint4 in = s.found[2 * i];
        const unsigned who = lane == 0 ? in.y : lane == 1 ? in.z : in.w;
        nearest_so_far c = {INFINITY, 0};

        if (in.x > SOME)
            continue;
        if (lane < in.x)
            decide(&c, haversine(obs.lat[i], obs.lon[i], s.ref.lat[who], s.ref.lon[who]), who);
        decide_among(&c, FOUR);
        if (lane == 0) {
            obs.index[i] = c.who;
            obs.distance[i] = (float)c.far;
        }
    }
}

__global__ static void __launch_bounds__(DECIDE) knn_decide(sweep s, points obs)
{
    for (unsigned d = blockIdx.x; d < s.many[0]; d += gridDim.x)
        look_everywhere(s, obs, s.many[1 + d]);
    decide_some(s, obs);
}

#endif
