/*
 * Four pixels of a row, 16 bytes, as one value: for cuda_warp and cuda_fused, whose lanes hold such
 * quads side by side.
 */
#ifndef RUNGS_STENCIL_QUADS_H
#define RUNGS_STENCIL_QUADS_H

#include <stddef.h>

static const unsigned ALL_LANES = 0xffffffff;

/* Four pixels from column c on.  Those outside the row are never used: any inside do.  Where rows
   are a multiple of four long, all quads are aligned, and inside or outside as a whole. */
template <bool ALIGNED>
__device__ static float4 load(const float *row, ptrdiff_t c, ptrdiff_t cols)
{
    if (ALIGNED)
        return *(const float4 *)(row + max((ptrdiff_t)0, min(c, cols - 4)));
    return make_float4(row[max((ptrdiff_t)0, min(c, cols - 1))],
                       row[max((ptrdiff_t)0, min(c + 1, cols - 1))],
                       row[max((ptrdiff_t)0, min(c + 2, cols - 1))],
                       row[max((ptrdiff_t)0, min(c + 3, cols - 1))]);
}

template <bool ALIGNED>
__device__ static void store(float *row, ptrdiff_t c, ptrdiff_t cols, float4 v)
{
    if (ALIGNED) {
        *(float4 *)(row + c) = v;
        return;
    }
    row[c] = v.x;
    if (c + 1 < cols)
        row[c + 1] = v.y;
    if (c + 2 < cols)
        row[c + 2] = v.z;
    if (c + 3 < cols)
        row[c + 3] = v.w;
}

#endif
