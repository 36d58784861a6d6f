/* The parabola through a peak and its neighbours, as common/align.h has it. */
#ifndef RUNGS_ALIGN_PEAK_H
#define RUNGS_ALIGN_PEAK_H

#include <math.h>
#include <stddef.h>

#ifdef __CUDACC__
#define BOTH_SIDES __host__ __device__
#else
#define BOTH_SIDES
#endif

/* Returns the shift along one axis from the peak's place and g before, at and after it. */
BOTH_SIDES static inline float shift_of(size_t at, size_t length, float before, float here, float after)
{
    const float whole = 2 * at > length ? -(float)(length - at) : (float)at;
    const float curve = before - 2 * here + after;

    if (!(curve < 0))
        return whole;
    return whole + fminf(0.5f, fmaxf(-0.5f, (before - after) / (2 * curve)));
}

#endif
