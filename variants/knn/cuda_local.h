/*
 * For the second look of cuda_ordered_refine.h: float32 scores of the references of one tile, relative to its centre c.  A sweep's
 * scores are off by some 1e-6 wherever the points lie.  These are off by a share of the tile's radius, so they tell
 * the points of a town apart as well as those of a continent.
 *
 *     q           the observation, in float64       D = q - c      A = |D|^2
 *     r = c + r'  a reference, |r'| at most R       |q - r|^2 = A + |r'|^2 - 2 D.r'
 *
 * Local score     |r'|^2 - 2 D.r': three multiply-adds.  It ranks the references of a tile
 * Offset          A less that of another tile, in float64.  It makes the scores of two tiles comparable
 * Error           A local score and its offset are within (14u R + 1e-14) (|D| + R) + 2u |offset| of the exact
 *                 square, less that of the other tile (docs/knn-exactness.md, "GPU: scores relative to a tile")
 * Least           No reference is nearer than |D| - R, so none scores less than offset - R (2 |D| - R)
 */
#ifndef RUNGS_KNN_CUDA_LOCAL_H
#define RUNGS_KNN_CUDA_LOCAL_H

#include "cuda_ordered.h" /* ordered_sweep, vector, WARP, all_lanes */

static const float local_unit = 0x1.cp-21f; /* 14u */

struct local_tile { /* as one observation has it */
    float x, y, z; /* D */
    float offset, error, least;
};

/* How far a local score may be off, but for the offset; `far` is |D| */
__device__ static float local_error(float far, float radius)
{
    return (local_unit * radius + 1e-14f) * (far + radius) + 1e-37f;
}

__device__ static vector minus(vector q, float4 centre)
{
    return {q.x - centre.x, q.y - centre.y, q.z - centre.z};
}

__device__ static double square(vector v)
{
    return v.x * v.x + v.y * v.y + v.z * v.z;
}

/* `base` is A of the tile that others are compared with. */
__device__ static local_tile local_of(float4 centre, vector q, double base)
{
    const vector d = minus(q, centre);
    const double a = square(d);
    const float offset = (float)(a - base), radius = centre.w, far = sqrtf((float)a);
    const float error = local_error(far, radius) + 0x1p-23f * fabsf(offset);

    return {(float)d.x, (float)d.y, (float)d.z, offset, error,
            offset - (far > radius ? radius * (2 * far - radius) : far * far) - error};
}

/* Lane `from`'s, for all lanes */
__device__ static local_tile local_from(local_tile mine, int from)
{
    return {__shfl_sync(all_lanes, mine.x, from),      __shfl_sync(all_lanes, mine.y, from),
            __shfl_sync(all_lanes, mine.z, from),      __shfl_sync(all_lanes, mine.offset, from),
            __shfl_sync(all_lanes, mine.error, from),  __shfl_sync(all_lanes, mine.least, from)};
}

__device__ static float local_score(float x, float y, float z, float4 to)
{
    return fmaf(x, to.x, fmaf(y, to.y, fmaf(z, to.z, to.w)));
}

/* The least of all lanes' numbers, which may be negative */
__device__ static float warp_least(float x)
{
    const int bits = __float_as_int(x);
    const int least = warp_min(bits ^ (bits >> 31 & 0x7fffffff));

    return __int_as_float(least ^ (least >> 31 & 0x7fffffff));
}

#endif
