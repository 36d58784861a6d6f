/*
 * The inverse of R by halves:  [ R1 X ]^-1   [ R1^-1  -R1^-1 X R2^-1 ]
 *                              [ 0  R2]    = [ 0               R2^-1 ]
 * Tiles of 64 on the diagonal are inverted by substitution.  Then two launches double what is known.
 */
#ifndef RUNGS_QR_CUDA_INVERSE_H
#define RUNGS_QR_CUDA_INVERSE_H

#include "cuda_panels.h" /* add_tile, load_tile, finished; PANEL, TEAM */

__global__ static void __launch_bounds__(TEAM) qr_invert_tiles(size_t n, const float *r, float *s, const struct guard *guard,
                                                                  int pass)
{
    __shared__ __align__(16) float of[1][PANEL][PANEL], tile[PANEL][PANEL + PAD];
    const size_t first = (size_t)blockIdx.x * PANEL;

    if (finished(guard, pass))
        return;
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

/* The tile at blockIdx.y, blockIdx.x of the pair blockIdx.z of squares of `half` tiles.  SECOND: s = -s t, else t = r s. */
template <bool SECOND>
__global__ static void __launch_bounds__(TEAM) qr_invert_pair(size_t n, unsigned half, const float *r, float *s, float *t,
                                                                 const struct guard *guard, int pass)
{
    __shared__ __align__(16) float left[PANEL][PANEL + PAD], right[PANEL][PANEL + PAD];
    const size_t begin = (size_t)blockIdx.z * 2 * half, i = begin + blockIdx.y, j = begin + half + blockIdx.x;
    const size_t from = SECOND ? i : begin + half, to = SECOND ? begin + half - 1 : j;
    float sum[4][4] = {};

    if (j * PANEL >= n || finished(guard, pass))
        return;
    for (size_t l = from; l <= to; l++) {
        load_tile(left, SECOND ? s : r, n, i * PANEL, l * PANEL, true);
        load_tile(right, SECOND ? t : s, n, l * PANEL, j * PANEL, false);
        __syncthreads();
        add_tile(sum, left, right);
        __syncthreads();
    }
    for (unsigned e = 0; e < 16; e++) {
        const size_t y = i * PANEL + threadIdx.x / 16 * 4 + e / 4, x = j * PANEL + threadIdx.x % 16 * 4 + e % 4;
        if (x < n)
            (SECOND ? s : t)[y * n + x] = SECOND ? -sum[e / 4][e % 4] : sum[e / 4][e % 4];
    }
}

/* s = r^-1, on and above the diagonal.  t: room of [n][n] */
static void invert(size_t n, const float *r, float *s, float *t, const struct guard *guard, int pass)
{
    const unsigned panels = (unsigned)((n + PANEL - 1) / PANEL);

    qr_invert_tiles<<<panels, TEAM>>>(n, r, s, guard, pass);
    for (unsigned half = 1; half < panels; half *= 2) {
        const dim3 grid(half, half, (panels + half - 1) / (2 * half));
        qr_invert_pair<false><<<grid, TEAM>>>(n, half, r, s, t, guard, pass);
        qr_invert_pair<true><<<grid, TEAM>>>(n, half, r, s, t, guard, pass);
    }
    CUDA(cudaGetLastError());
}

#endif
