/*
 * Four pixels of a row, 16 bytes, as one value: for cuda_warp and cuda_fused, whose lanes hold such
 * quads side by side.
 */
#ifndef RUNGS_STENCIL_QUADS_H
#define RUNGS_STENCIL_QUADS_H

#include <stddef.h>

static const unsigned ALL_LANES = 0xffffffff;

/* The column nearest to c from which `n` pixels are inside the row. */
template <int n>
__device__ static ptrdiff_t inside(ptrdiff_t c, ptrdiff_t cols)
{
    return max((ptrdiff_t)0, min(c, cols - n));
}

/* Returns four pixels from column c on.  Those outside the row are never used, so pixels inside are loaded for them.
   ALIGNED: the row's length is a multiple of four, so each quad is aligned, and inside or outside as a whole. */
template <bool ALIGNED>
__device__ static float4 load(const float *row, ptrdiff_t c, ptrdiff_t cols)
{
    if (ALIGNED)
        return *(const float4 *)(row + inside<4>(c, cols));
    return make_float4(row[inside<1>(c, cols)], row[inside<1>(c + 1, cols)],
                       row[inside<1>(c + 2, cols)], row[inside<1>(c + 3, cols)]);
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
