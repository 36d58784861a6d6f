/*
 * For the second look of cuda_ordered_refine.h: float32 scores of the references of one tile, relative to its centre c.  A sweep's
 * scores are off by some 1e-6 wherever the points lie.  These are off by a share of the tile's radius, so they tell
 * the points of a town apart as well as those of a continent.
 *
 *     q           the observation    D = q - c       A = |D|^2
 *     r = c + r'  a reference, |r'| at most R        |q - r|^2 = A + |r'|^2 - 2 D.r'
 *
 * Local score     |r'|^2 - 2 D.r': three multiply-adds.  It ranks the references of a tile
 * Offset          A less A0, that of the first tile: (c0 - c).(D + D0).  It makes the scores of two tiles comparable.  q is the sum of
 *                 two float32, so D loses no digits where it is small, and float64 is not needed for a tile
 * Error           A local score and its offset are within
 *                 (20u R + 2e-14) (|D| + R) + |c0 - c| (8u (|D| + |D0|) + 2e-14) + 2u |offset| of the exact
 *                 square, less that of the other tile (docs/knn-exactness.md, "GPU: scores relative to a tile")
 * Least           No reference is nearer than |D| - R, so none scores less than offset - R (2 |D| - R); and for those on the sphere
 *                 there is a better bound where |D| is large (nearer_by)
 */
#ifndef RUNGS_KNN_CUDA_LOCAL_H
#define RUNGS_KNN_CUDA_LOCAL_H

#include "cuda_ordered.h" /* ordered_sweep, vector, WARP, all_lanes */

static const float local_unit = 0x1.4p-20f, offset_unit = 0x1p-21f; /* 20u, 8u */
static const float off_sphere = 0x1p-23f;                             /* twice of how far a centre may be off the sphere */

/* An observation's unit vector q.  It lies in shared memory: a compiler that sees the conversions makes them again for each tile. */
struct asked {
    vector q;
    float3 high, low; /* q, but for 2^-48 */
};

/* An observation, and the tile that others are compared with */
struct looker {
    const asked &at;
    float4 centre;    /* c0 ... */
    float3 d;         /* ... D0 ... */
    float far;        /* ... |D0| ... */
    double base;      /* ... and A0 */
};

struct local_tile { /* as one observation has it */
    float x, y, z; /* D */
    float offset, error, least;
};

/* How far a local score may be off, but for the offset; `far` is |D| */
__device__ static float local_error(float far, float radius)
{
    return (local_unit * radius + 2e-14f) * (far + radius) + 1e-37f;
}

__device__ static float dot(float3 a, float3 b)
{
    return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z));
}

/* D */
__device__ static float3 from_centre(const looker &o, float4 centre)
{
    const float3 high = o.at.high, low = o.at.low;

    return {high.x - centre.x + low.x, high.y - centre.y + low.y, high.z - centre.z + low.z};
}

__device__ static asked asked_of(vector q)
{
    const float3 high = {(float)q.x, (float)q.y, (float)q.z};

    return {q, high, {(float)(q.x - high.x), (float)(q.y - high.y), (float)(q.z - high.z)}};
}

/* Compares others with this tile from now on. */
__device__ static void look_from(looker *o, float4 centre)
{
    const vector q = o->at.q, d = {q.x - centre.x, q.y - centre.y, q.z - centre.z};

    o->centre = centre;
    o->d = from_centre(*o, centre);
    o->far = sqrtf(dot(o->d, o->d));
    o->base = d.x * d.x + d.y * d.y + d.z * d.z;
}

/* By how much, at most, the square of the distance to a reference is less than |D|^2, for a tile of that radius.  Two bounds: of
   any points in the ball, and of points on the sphere, where the centre is, too.  The second is the better one for what lies
   far: seen from the other side of the sphere all of a town is about as far. */
__device__ static float nearer_by(float far, float radius)
{
    const float square = far * far, across = sqrtf(fmaxf(4 - square, 0) + 1e-6f);
    const float in_ball = radius * (2 * far - radius);
    const float on_sphere = radius * (far * across - radius * (1 - square / 2)) + off_sphere * square;

    return far > radius ? fminf(in_ball, on_sphere) : square;
}

__device__ static local_tile local_of(float4 centre, const looker &o)
{
    const float3 d = from_centre(o, centre), sum = {d.x + o.d.x, d.y + o.d.y, d.z + o.d.z};
    const float3 apart = {o.centre.x - centre.x, o.centre.y - centre.y, o.centre.z - centre.z};
    const float offset = dot(apart, sum), radius = centre.w, far = sqrtf(dot(d, d));
    const float distance = fabsf(apart.x) + fabsf(apart.y) + fabsf(apart.z); /* that of the centres, or more */
    const float error = local_error(far, radius) + distance * (offset_unit * (far + o.far) + 2e-14f) +
                        0x1p-23f * fabsf(offset);

    return {d.x, d.y, d.z, offset, error, offset - nearer_by(far, radius) - error};
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
