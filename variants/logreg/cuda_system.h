/*
 * logreg: a warp solves the system of Newton's method, up to 33 unknowns, in its registers.
 *
 * The intercept is eliminated first.  Lane i then has row i of the other 32 rows, and its right side.  Step k subtracts a
 * multiple of row k from all other rows, above it, too, so that nothing is left to be done backwards (Gauss and Jordan).
 * What is right of and below the pivot stays symmetric.  So row k is column k, of which each lane has one number: the lanes
 * write it to shared memory, and all read it there by fours.
 * Arithmetic is in float32: the direction of a step needs a few digits, and the gradient says how good the point is.
 */
#ifndef RUNGS_LOGREG_CUDA_SYSTEM_H
#define RUNGS_LOGREG_CUDA_SYSTEM_H

#include <stddef.h>

#include "cuda_lanes.h" /* warp_sum, warp_largest */

enum { SYSTEM = 32 /* rows, one a lane, beside the intercept's */, AT_ONCE = 4 /* pivots */ };

/* Takes the pivots first to first + AT_ONCE - 1.  On entry a[0] is column `first`, on return a[0] is the next one; the columns after the
   last one are of no use.  Lanes that have no pivot here keep theirs. */
__device__ static inline void eliminate(unsigned first, float a[SYSTEM], float *right, float *pivot)
{
    __shared__ float4 columns[2][SYSTEM / 4]; /* two in turns, so that one meeting of the lanes is enough */
    const unsigned lane = threadIdx.x % 32;

#pragma unroll
    for (unsigned p = 0; p < AT_ONCE; p++) {
        float *column = (float *)columns[p % 2];
        if (lane >= first)
            column[lane - first] = a[p];
        __syncwarp();
        const float there = column[p], times = lane == first + p ? 0.0f : __fdividef(a[p], there);
        *pivot = lane == first + p ? there : *pivot;
        *right -= times * __shfl_sync(0xffffffffu, *right, (int)(first + p));
#pragma unroll
        for (unsigned four = 0; four < SYSTEM / 4; four++) {
            const float4 c = columns[p % 2][four];
            a[4 * four] -= times * c.x;
            a[4 * four + 1] -= times * c.y;
            a[4 * four + 2] -= times * c.z;
            a[4 * four + 3] -= times * c.w;
        }
    }
#pragma unroll
    for (unsigned j = AT_ONCE; j < SYSTEM; j++)
        a[j - AT_ONCE] = a[j];
}

/* way = -H^-1 g, of n + 1 unknowns, all of H [n + 1][n + 1] given.  Returns false if a pivot lost four digits or more. */
__device__ static inline bool solve_by_warp(size_t n, const double *g, const double *h, double *way)
{
    const unsigned lane = threadIdx.x % 32;
    const size_t width = n + 1;
    const bool mine = lane < n;
    const double corner = h[n * width + n], inverse = 1.0 / corner, share = mine ? h[lane * width + n] * inverse : 0.0;
    const float least = mine ? 1e-4f * (float)h[lane * width + lane] : 0.5f;
    float a[SYSTEM], right = mine ? (float)(share * g[n] - g[lane]) : 0.0f, pivot = 1.0f;

#pragma unroll
    for (unsigned j = 0; j < SYSTEM; j++)
        a[j] = mine && j < n ? (float)(h[lane * width + j] - share * h[j * width + n]) : lane == j ? 1.0f : 0.0f;
    /* The columns move to the left, so that the loop's text is short: an unrolled one would be fetched anew in each step of the method.
       Rows beyond n are those of the identity. */
    for (unsigned k = 0; k < n; k += AT_ONCE)
        eliminate(k, a, &right, &pivot);
    if (!__all_sync(0xffffffffu, corner > 0.0 && pivot > least)) /* a NaN is no larger */
        return false;
    const double step = (double)__fdividef(right, pivot), all = warp_sum(share * step);
    if (mine)
        way[lane] = step;
    if (lane == 0)
        way[n] = -g[n] * inverse - all;
    __syncwarp();
    return true;
}

#endif
