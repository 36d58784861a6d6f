/*
 * The Cholesky factor of a Gram matrix of more than 64 columns, by panels of 64 rows, and the product of all factors.
 *
 *     +----+----+----+     1. qr_panel: each block factors the tile on the diagonal by itself, and solves one tile beside it
 *     | \  | -> | -> |     2. qr_update: what is below and to the right loses the product of the panel's tiles
 *     +----+----+----+
 *          | \  |    |     Two launches a panel.  All of them are queued at once, for all passes that there may be.  Those of a
 *          +----+----+     pass that is not needed end at once.
 */
#ifndef RUNGS_QR_CUDA_PANELS_H
#define RUNGS_QR_CUDA_PANELS_H

#include "cuda_factor.h" /* factor, half_exponent, power_of_two; TEAM */
#include "cuda_solve.h"  /* solve_row; PAD */

enum { PANEL = 64, MOST_WIDE = 8 /* passes */, TRIAL = -1 /* the pass before the first */ };

/*
 * The guard.  Once the squares of what is off the diagonal of Q'Q add up to at most 1/4, all its eigenvalues are 1/2 or more,
 * and its factor is as good as its elements are.
 */
struct guard {
    double off[MOST_WIDE + 1];
    /* Of a trial of A without a shift, which not all variants make.  It is as in cuda_factor.h. */
    float limit, worst; /* 0: no trial; the longest column of R^-1, squared */
    int doubtful;       /* a pivot was too small */
};

/* Returns whether the trial's factor is good: one pass is enough. */
__device__ static inline bool good_at_once(const struct guard *guard)
{
    return guard->limit > 0.0f && !guard->doubtful && guard->worst <= guard->limit;
}

/* Returns whether a pass has nothing to do. */
__device__ static inline bool finished(const struct guard *guard, int pass)
{
    if (pass > TRIAL && good_at_once(guard))
        return true;
    for (int before = 1; before < pass; before++)
        if (guard->off[before] <= 0.25)
            return true;
    return false;
}

/* Adds up what the guard asks for. */
__global__ static void __launch_bounds__(TEAM) qr_look(size_t n, const double *gram, struct guard *guard, int pass)
{
    __shared__ double sums[TEAM / 32];
    const size_t i = blockIdx.x;
    double off = 0.0;

    if (finished(guard, pass))
        return;
    for (size_t j = i + 1 + threadIdx.x; j < n; j += TEAM)
        off += 2.0 * gram[i * n + j] * gram[i * n + j] / (gram[i * n + i] * gram[j * n + j]);
    for (int apart = 16; apart > 0; apart /= 2)
        off += __shfl_xor_sync(0xffffffffu, off, apart);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = off;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned warp = 1; warp < TEAM / 32; warp++)
            off += sums[warp];
        atomicAdd(&guard->off[pass], off);
    }
}

/* g = the upper half of D G D + s I, in float32: columns are brought to lengths of 1 to 2, exactly.  There is a shift s in each
   pass but the last. */
__global__ static void __launch_bounds__(TEAM) qr_scale(size_t n, const double *gram, float *g, const struct guard *guard,
                                                           int pass)
{
    const size_t i = blockIdx.x;
    const float shift = pass == TRIAL || (pass > 0 && guard->off[pass] <= 0.25) ? 0.0f : shift_of(n);
    const int e = half_exponent(gram[i * n + i]);

    if (finished(guard, pass))
        return;
    for (size_t j = i + threadIdx.x; j < n; j += TEAM)
        g[i * n + j] = (float)(gram[i * n + j] * power_of_two(-e) * power_of_two(-half_exponent(gram[j * n + j]))) +
                       (i == j ? shift : 0.0f);
}

struct panel_memory {
    float r[PANEL][PANEL];
    float tile[PANEL][PANEL + PAD];
    struct factor_memory<PANEL> work;
};

/* Block b: the tile on the diagonal of panel p becomes R, and the tile b + 1 to the right of it R'^-1 times itself. */
__global__ static void __launch_bounds__(TEAM) qr_panel(size_t n, size_t p, const float *g, float *r,
                                                           struct guard *guard, int pass)
{
    __shared__ __align__(16) struct panel_memory memory;
    const size_t first = p * PANEL, wide = min((size_t)PANEL, n - first), to = first + blockIdx.x * PANEL;

    if (finished(guard, pass))
        return;
    /* A row of the tile becomes a column, so that solve_row serves for R' y = g. */
    for (unsigned at = threadIdx.x; at < PANEL * PANEL; at += TEAM) {
        const unsigned i = at / PANEL, j = at % PANEL;
        memory.tile[j][i] = blockIdx.x > 0 && i < wide && to + j < n ? g[(first + i) * n + to + j] : 0.0f;
    }
    const bool positive =
        factor<PANEL>(wide, false, INFINITY, 0.0f, g + first * n + first, n, memory.r, &memory.work);
    if (!positive && pass == TRIAL && blockIdx.x == 0 && threadIdx.x == 0)
        guard->doubtful = 1;
    if (blockIdx.x > 0 && threadIdx.x < PANEL)
        solve_row<PANEL>(memory.tile[threadIdx.x], 1, &memory.r);
    __syncthreads();
    for (unsigned at = threadIdx.x; at < PANEL * PANEL; at += TEAM) {
        const unsigned i = at / PANEL, j = at % PANEL;
        if (i < wide && to + j < n)
            r[(first + i) * n + to + j] = blockIdx.x > 0 ? memory.tile[j][i]
                                          : i == j       ? 1.0f / memory.r[i][i]
                                                         : memory.r[i][j];
    }
}

/* Sums of a 64 x 64 tile: a thread has 4 x 4.  left and right: 64 terms of each row and column. */
__device__ static inline void add_tile(float (&sum)[4][4], const float (*left)[PANEL + PAD], const float (*right)[PANEL + PAD])
{
    const unsigned x = threadIdx.x % 16 * 4, y = threadIdx.x / 16 * 4;

#pragma unroll 8
    for (int l = 0; l < PANEL; l++) {
        const float4 a = *(const float4 *)&left[l][y], b = *(const float4 *)&right[l][x];
        const float as[4] = {a.x, a.y, a.z, a.w}, bs[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                sum[i][j] += as[i] * bs[j];
    }
}

/* to[y][x] = from[y0 + y][x0 + x], or 0; turned: its transpose. */
__device__ static inline void load_tile(float (*to)[PANEL + PAD], const float *from, size_t n, size_t y0, size_t x0, bool turned)
{
    for (unsigned at = threadIdx.x; at < PANEL * PANEL; at += TEAM) {
        const unsigned y = at / PANEL, x = at % PANEL;
        const float value = y0 + y < n && x0 + x < n ? from[(y0 + y) * n + x0 + x] : 0.0f;
        if (turned)
            to[x][y] = value;
        else
            to[y][x] = value;
    }
}

/* The tile at blockIdx of what panel p leaves: g -= r' r. */
__global__ static void __launch_bounds__(TEAM) qr_update(size_t n, size_t p, float *g, const float *r,
                                                            const struct guard *guard, int pass)
{
    __shared__ __align__(16) float left[PANEL][PANEL + PAD], right[PANEL][PANEL + PAD];
    const size_t i0 = (p + 1 + blockIdx.y) * PANEL, j0 = (p + 1 + blockIdx.x) * PANEL;
    float sum[4][4] = {};

    if (blockIdx.y > blockIdx.x || finished(guard, pass))
        return;
    load_tile(left, r, n, p * PANEL, i0, false);
    load_tile(right, r, n, p * PANEL, j0, false);
    __syncthreads();
    add_tile(sum, left, right);
    for (unsigned e = 0; e < 16; e++) {
        const size_t i = i0 + threadIdx.x / 16 * 4 + e / 4, j = j0 + threadIdx.x % 16 * 4 + e % 4;
        if (i <= j && j < n)
            g[i * n + j] -= sum[e / 4][e % 4];
    }
}

/* R's columns get their lengths back.  On the first pass R is the answer so far. */
__global__ static void qr_unscale(size_t n, const double *gram, float *r, float *whole, const struct guard *guard, int pass)
{
    const size_t i = blockIdx.x;

    if (finished(guard, pass))
        return;
    for (size_t j = threadIdx.x; j < n; j += TEAM) {
        const float x = i <= j ? r[i * n + j] * power_of_two(half_exponent(gram[j * n + j])) : 0.0f;
        r[i * n + j] = x;
        if (pass <= 0)
            whole[i * n + j] = x;
    }
}

/* product = r whole, tiles on and above the diagonal. */
__global__ static void __launch_bounds__(TEAM) qr_multiply(size_t n, const float *r, const float *whole, float *product,
                                                              const struct guard *guard, int pass)
{
    __shared__ __align__(16) float left[PANEL][PANEL + PAD], right[PANEL][PANEL + PAD];
    const size_t i0 = blockIdx.y * PANEL, j0 = blockIdx.x * PANEL;
    float sum[4][4] = {};

    if (blockIdx.y > blockIdx.x || finished(guard, pass))
        return;
    for (size_t l0 = i0; l0 <= j0; l0 += PANEL) {
        load_tile(left, r, n, i0, l0, true);
        load_tile(right, whole, n, l0, j0, false);
        __syncthreads();
        add_tile(sum, left, right);
        __syncthreads();
    }
    for (unsigned e = 0; e < 16; e++) {
        const size_t i = i0 + threadIdx.x / 16 * 4 + e / 4, j = j0 + threadIdx.x % 16 * 4 + e % 4;
        if (i <= j && j < n)
            product[i * n + j] = sum[e / 4][e % 4];
    }
}

__global__ static void qr_put(size_t n, const float *product, float *whole, const struct guard *guard, int pass)
{
    const size_t i = blockIdx.x;

    if (finished(guard, pass))
        return;
    for (size_t j = i + threadIdx.x; j < n; j += TEAM)
        whole[i * n + j] = product[i * n + j];
}

/* r = the factor of gram; whole = r whole.  g, product: room of [n][n] */
static void factor_wide(size_t n, const double *gram, float *g, float *r, float *whole, struct guard *guard, int pass)
{
    const unsigned panels = (unsigned)((n + PANEL - 1) / PANEL);

    if (pass > 0)
        qr_look<<<(unsigned)n, TEAM>>>(n, gram, guard, pass);
    qr_scale<<<(unsigned)n, TEAM>>>(n, gram, g, guard, pass);
    for (unsigned p = 0; p < panels; p++) {
        qr_panel<<<panels - p, TEAM>>>(n, p, g, r, guard, pass);
        if (p + 1 < panels)
            qr_update<<<dim3(panels - p - 1, panels - p - 1), TEAM>>>(n, p, g, r, guard, pass);
    }
    qr_unscale<<<(unsigned)n, TEAM>>>(n, gram, r, whole, guard, pass);
    if (pass > 0) {
        qr_multiply<<<dim3(panels, panels), TEAM>>>(n, r, whole, g, guard, pass);
        qr_put<<<(unsigned)n, TEAM>>>(n, g, whole, guard, pass);
    }
    CUDA(cudaGetLastError());
}

#endif
