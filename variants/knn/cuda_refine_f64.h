/*
 * The last step of cuda_refine.h: float64 chooses among the candidates that float32 cannot tell apart.
 * These are either a few, which are listed, or all references that score at most a limit.
 */
#ifndef RUNGS_KNN_CUDA_REFINE_F64_H
#define RUNGS_KNN_CUDA_REFINE_F64_H

#include "cuda_sweep.h" /* nearest_sweep, points, near_four; haversine, nearest_f64, keep_nearer, WARP */

enum { SOME = 3 }; /* candidates that are listed, at most */
enum { F64_THREADS = 512, F64_BLOCKS = 512 };

/* A whole block goes through all references for one observation.  Candidates may lie in tiles all over:
   at a pole, say, every longitude is the same place.  One warp alone would take far longer than all
   others. */
__device__ static void refine_among_all(nearest_sweep s, points obs, size_t i)
{
    enum { LOADS = 8 };
    __shared__ nearest_f64 of[F64_THREADS / WARP];
    const size_t references = (size_t)s.chunks * CHUNK;
    const float limit = __uint_as_float(s.found[2 * i].y), lat = obs.lat[i], lon = obs.lon[i];
    const float4 at = unit_vector(lat, lon);
    nearest_f64 c = {INFINITY, 0};

    for (size_t from = threadIdx.x * FOUR; from < references; from += LOADS * F64_THREADS * FOUR) {
        unsigned near = 0;

#pragma unroll
        for (unsigned load = 0; load < LOADS; load++) {
            const size_t j = from + load * F64_THREADS * FOUR;

            if (j < references)
                near |= near_four(s, at, j, limit) << load * FOUR;
        }
        for (; near != 0; near &= near - 1) {
            const unsigned bit = __ffs((int)near) - 1;
            const size_t j = from + bit / FOUR * (F64_THREADS * FOUR) + bit % FOUR;

            keep_nearer(&c, haversine(lat, lon, s.ref.lat[j], s.ref.lon[j]), (unsigned)j);
        }
    }
    nearest_of_lanes(&c, WARP);
    if (threadIdx.x % WARP == 0)
        of[threadIdx.x / WARP] = c;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (const nearest_f64 &warps : of)
            keep_nearer(&c, warps.far, warps.who);
        obs.index[i] = c.who;
        obs.distance[i] = (float)c.far;
    }
    __syncthreads();
}

/* Four lanes work for one observation, a candidate each. */
__device__ static void refine_among_some(nearest_sweep s, points obs)
{
    const unsigned lane = threadIdx.x % FOUR, fours = gridDim.x * (F64_THREADS / FOUR);

    for (unsigned d = (blockIdx.x * F64_THREADS + threadIdx.x) / FOUR; d < s.doubt[0]; d += fours) {
        const size_t i = s.doubt[1 + d];
        const uint4 in = s.found[2 * i];
        const unsigned who = lane == 0 ? in.y : lane == 1 ? in.z : in.w;
        nearest_f64 c = {INFINITY, 0};

        if (in.x > SOME)
            continue;
        if (lane < in.x)
            keep_nearer(&c, haversine(obs.lat[i], obs.lon[i], s.ref.lat[who], s.ref.lon[who]), who);
        nearest_of_lanes(&c, FOUR);
        if (lane == 0) {
            obs.index[i] = c.who;
            obs.distance[i] = (float)c.far;
        }
    }
}

/* At most `most` observations are compared with all references here; if there are more, with none (cuda_crowd.h) */
__global__ static void __launch_bounds__(F64_THREADS) knn_refine_f64(nearest_sweep s, points obs, unsigned most)
{
    for (unsigned d = blockIdx.x; d < s.many[0] && s.many[0] <= most; d += gridDim.x)
        refine_among_all(s, obs, s.many[1 + d]);
    if (s.many[0] < s.doubt[0]) /* else all have many candidates */
        refine_among_some(s, obs);
}

#endif
