/*
 * The inverse of R by halves:  [ R1 X ]^-1   [ R1^-1  -R1^-1 X R2^-1 ]
 *                              [ 0  R2]    = [ 0               R2^-1 ]
 * Tiles of 64 on the diagonal are inverted by substitution.  Then two launches double what is known.
 */
#ifndef RUNGS_QR_CUDA_INVERSE_H
#define RUNGS_QR_CUDA_INVERSE_H

#include "cuda_panels.h" /* add_tile, row_of, column_of; PANEL, SIDE, TEAM */
#include "cuda_solve.h"  /* solve_row; PAD */

__global__ static void __launch_bounds__(TEAM) qr_invert_tiles(size_t n, const float *r, float *s)
{
    __shared__ __align__(16) float of[1][PANEL][PANEL], tile[PANEL][PANEL + PAD];
    const size_t first = (size_t)blockIdx.x * PANEL;

    for (unsigned at = threadIdx.x; at < PANEL * PANEL; at += TEAM) {
        const unsigned i = at / PANEL, j = at % PANEL;
        const float x = first + i < n && first + j < n ? r[(first + i) * n + first + j] : i == j ? 1.0f : 0.0f;
        of[0][i][j] = i == j ? 1.0f / x : x;
        tile[i][j] = i == j ? 1.0f : 0.0f;
    }
    __syncthreads();
    if (threadIdx.x < PANEL)
        solve_row<PANEL>(tile[threadIdx.x], 1, of);
    __syncthreads();
    for (unsigned at = threadIdx.x; at < PANEL * PANEL; at += TEAM) {
        const unsigned i = at / PANEL, j = at % PANEL;
        if (first + i < n && first + j < n)
            s[(first + i) * n + first + j] = tile[i][j];
    }
}

/* The tile at blockIdx.y, blockIdx.x of what is not known yet of pair blockIdx.z of squares of `half` columns.
   SECOND: s = -s t, else t = r s. */
template <bool SECOND>
__global__ static void __launch_bounds__(TEAM, 2) qr_invert_pair(size_t n, size_t half, const float *r, float *s, float *t)
{
    const size_t begin = blockIdx.z * 2 * half, middle = begin + half, end = min(middle + half, n);
    const size_t i0 = begin + blockIdx.y * SIDE, j0 = middle + blockIdx.x * SIDE;
    float sum[8][8] = {};

    if (j0 >= end)
        return;
    if (SECOND)
        add_tile<true>(sum, n, s, i0, middle, t, j0, end, i0, middle);
    else
        add_tile<true>(sum, n, r, i0, middle, s, j0, end, middle, min(j0 + SIDE, end));
#pragma unroll
    for (unsigned e = 0; e < 64; e++) {
        const size_t i = i0 + row_of(e), j = j0 + column_of(e);
        if (i < middle && j < end)
            (SECOND ? s : t)[i * n + j] = SECOND ? -sum[e / 8][e % 8] : sum[e / 8][e % 8];
    }
}

/* s = r^-1, on and above the diagonal.  t: room of [n][n] */
static void invert(size_t n, const float *r, float *s, float *t)
{
    const unsigned panels = (unsigned)((n + PANEL - 1) / PANEL);

    qr_invert_tiles<<<panels, TEAM>>>(n, r, s);
    for (size_t half = PANEL; half < n; half *= 2) {
        const unsigned tiles = (unsigned)((half + SIDE - 1) / SIDE);
        const dim3 grid(tiles, tiles, (unsigned)((n + half - 1) / (2 * half)));
        qr_invert_pair<false><<<grid, TEAM>>>(n, half, r, s, t);
        qr_invert_pair<true><<<grid, TEAM>>>(n, half, r, s, t);
    }
    CUDA(cudaGetLastError());
}

#endif
