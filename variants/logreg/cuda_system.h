/*
 * logreg: a warp solves the system of Newton's method, up to 33 unknowns, in its registers.
 *
 * The intercept is eliminated first.  Lane i then has row i of the other 32 rows, and its right side.  Step k subtracts a
 * multiple of row k from all other rows, above it, too, so that nothing is left to be done backwards (Gauss and Jordan).
 * Arithmetic is in float32: the direction of a step needs a few digits, and the gradient says how good the point is.
 */
#ifndef RUNGS_LOGREG_CUDA_SYSTEM_H
#define RUNGS_LOGREG_CUDA_SYSTEM_H

#include <stddef.h>

#include "cuda_lanes.h" /* warp_sum, warp_largest */

enum { SYSTEM = 32 /* rows, one a lane, beside the intercept's */ };

/* way = -H^-1 g, of n + 1 unknowns, all of H [n + 1][n + 1] given.  Returns false if a pivot lost four digits or more. */
__device__ static inline bool solve_by_warp(size_t n, const double *g, const double *h, double *way)
{
    const unsigned lane = threadIdx.x % 32;
    const size_t width = n + 1;
    const bool mine = lane < n;
    const double corner = h[n * width + n], share = mine ? h[lane * width + n] / corner : 0.0;
    const float least = mine ? 1e-4f * (float)h[lane * width + lane] : 0.5f;
    float a[SYSTEM], right = mine ? (float)(share * g[n] - g[lane]) : 0.0f, pivot = 1.0f;

#pragma unroll
    for (unsigned j = 0; j < SYSTEM; j++)
        a[j] = mine && j < n ? (float)(h[lane * width + j] - share * h[j * width + n]) : lane == j ? 1.0f : 0.0f;
    /* Each step moves the columns to the left, so that the pivot's is always a[0] and the loop's text is short: an unrolled one would
       be fetched anew in each step of the method. */
    for (unsigned k = 0; k < n; k++) {
        const float there = __shfl_sync(0xffffffffu, a[0], (int)k), times = lane == k ? 0.0f : __fdividef(a[0], there);
        pivot = lane == k ? there : pivot;
#pragma unroll
        for (unsigned j = 1; j < SYSTEM; j++)
            a[j - 1] = a[j] - times * __shfl_sync(0xffffffffu, a[j], (int)k);
        right -= times * __shfl_sync(0xffffffffu, right, (int)k);
    }
    if (!__all_sync(0xffffffffu, corner > 0.0 && pivot > least)) /* a NaN is no larger */
        return false;
    const double step = (double)__fdividef(right, pivot), all = warp_sum(share * step);
    if (mine)
        way[lane] = step;
    if (lane == 0)
        way[n] = -g[n] / corner - all;
    __syncwarp();
    return true;
}

#endif
