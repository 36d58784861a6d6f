/*
 * The kernel of cuda_shared as a function, for variants that differ from it on the host side only: cuda_managed,
 * cuda_unified, cuda_multi and cuda_streams.  cuda_shared explains it.
 */
#ifndef RUNGS_KNN_CUDA_KERNEL_H
#define RUNGS_KNN_CUDA_KERNEL_H

#include <stddef.h>
#include <stdint.h>

enum { TILE = 256, GROUP = 8 }; /* TILE threads in a block */

/* Puts (h, j) into the list of k, nearest first; returns the last h of the list. */
__device__ static float insert(float h, size_t j, size_t k, float *list, uint32_t *index)
{
    size_t place = k - 1;

    for (; place > 0 && h < list[place - 1]; place--) {
        list[place] = list[place - 1];
        index[place] = index[place - 1];
    }
    list[place] = h;
    index[place] = (uint32_t)j;
    return list[k - 1];
}

__device__ static void nearest(size_t m, size_t n, size_t k, const float *obs_lat,
                               const float *obs_lon, const float *ref_lat, const float *ref_lon,
                               uint32_t *index, float *distance)
{
    /* lat/2, lon/2, cos(lat), unused: 16 bytes are one load. */
    __shared__ float4 tile[TILE];
    const size_t i = (size_t)blockIdx.x * TILE + threadIdx.x;
    const bool mine = i < m;
    const float half_lat = mine ? obs_lat[i] / 2 : 0, half_lon = mine ? obs_lon[i] / 2 : 0;
    const float cos_lat = cosf(2 * half_lat);
    float largest = mine ? INFINITY : -1;

    index += i * k;
    distance += i * k;
    for (size_t r = 0; mine && r < k; r++)
        distance[r] = INFINITY, index[r] = 0;

    for (size_t first = 0; first < n; first += TILE) {
        const size_t j = first + threadIdx.x;

        /* Padding is NaN, and so is its h, which passes no comparison. */
        tile[threadIdx.x] = make_float4(NAN, NAN, NAN, 0);
        if (j < n)
            tile[threadIdx.x] = make_float4(ref_lat[j] / 2, ref_lon[j] / 2, cosf(ref_lat[j]), 0);
        __syncthreads();
        for (unsigned t = 0; t < TILE; t += GROUP) {
            float h[GROUP], least = INFINITY;

#pragma unroll
            for (unsigned g = 0; g < GROUP; g++) {
                const float4 at = tile[t + g];
                const float sin_lat = __sinf(at.x - half_lat), sin_lon = __sinf(at.y - half_lon);

                h[g] = sin_lat * sin_lat + cos_lat * at.z * (sin_lon * sin_lon);
                least = fminf(least, h[g]);
            }
            if (!(least < largest))
                continue;
#pragma unroll
            for (unsigned g = 0; g < GROUP; g++)
                if (h[g] < largest)
                    largest = insert(h[g], first + t + g, k, distance, index);
        }
        __syncthreads();
    }

    float last = 0;

    /* Rounding can lift h above 1 at an antipode and, as __sinf rounds, push it below 0 at a pole.
       And asinf may be off by an ulp either way, yet distances must not fall along the list. */
    for (size_t r = 0; mine && r < k; r++)
        distance[r] = last = fmaxf(last, 2 * asinf(sqrtf(fminf(fmaxf(distance[r], 0), 1))));
}

#endif
