/*
 * Cholesky's QR of a matrix of more than 64 columns: G = X'X, R'R = G, Q = X R^-1; X is A first, and then Q.
 *
 *     qr_gram    a tile of 128 x 128 of G, of some 1000 rows or more, a block; joined in float64
 *     ...        the factor: cuda_panels.h
 *     qr_solve   a block has some rows.  It goes through tiles of 64 columns: what the columns to the left explain is
 *                subtracted as a product, and the rest is solved by substitution, a thread a row
 */
#ifndef RUNGS_QR_CUDA_WIDE_H
#define RUNGS_QR_CUDA_WIDE_H

#include "cuda_panels.h" /* factor_wide, finished; PANEL, MOST_WIDE */

enum {
    SIDE = 128,            /* of a tile of G */
    SLAB = 16,             /* rows at a time */
    LONGEST = 16384,       /* rows of a float32 sum */
    SHORTEST = 512
};

/* Requests `rows` x `columns` floats at y0, x0 of a matrix [height][width], 0 outside, to rows of `pitch`. */
template <int ROWS, int COLUMNS>
__device__ static inline void request_box(float *to, unsigned pitch, const float *from, size_t height, size_t width,
                                          size_t stride, size_t y0, size_t x0)
{
    if (stride % 4 == 0) {
#pragma unroll
        for (unsigned at = threadIdx.x; at < ROWS * COLUMNS / 4; at += TEAM) {
            const size_t y = y0 + at / (COLUMNS / 4), x = x0 + at % (COLUMNS / 4) * 4;
            const bool there = y < height && x < width;
            __pipeline_memcpy_async(to + at / (COLUMNS / 4) * pitch + at % (COLUMNS / 4) * 4,
                                    there ? from + y * stride + x : from, 16, there ? 0 : 16);
        }
        return;
    }
    for (unsigned at = threadIdx.x; at < ROWS * COLUMNS; at += TEAM) {
        const size_t y = y0 + at / COLUMNS, x = x0 + at % COLUMNS;
        const bool there = y < height && x < width;
        __pipeline_memcpy_async(to + at / COLUMNS * pitch + at % COLUMNS, there ? from + y * stride + x : from, 4,
                                there ? 0 : 4);
    }
}

/* Tile blockIdx.x of G, counted along rows from the diagonal, and rows blockIdx.y * chunk on. */
__global__ static void __launch_bounds__(TEAM, 2)
    qr_gram(size_t m, size_t n, size_t chunk, const float *x, double *gram, const struct guard *guard, int pass)
{
    __shared__ __align__(16) float left[2][SLAB][SIDE], right[2][SLAB][SIDE];
    const unsigned column = threadIdx.x % 16, row = threadIdx.x / 16;
    const size_t begin = blockIdx.y * chunk, end = min(begin + chunk, m);
    size_t i0 = 0, j0, tile = blockIdx.x;
    float sum[8][8] = {};

    if (finished(guard, pass))
        return;
    for (size_t across = (n + SIDE - 1) / SIDE; tile >= across; across--) {
        tile -= across;
        i0 += SIDE;
    }
    j0 = i0 + tile * SIDE;

    request_box<SLAB, SIDE>(left[0][0], SIDE, x, end, n, n, begin, i0);
    request_box<SLAB, SIDE>(right[0][0], SIDE, x, end, n, n, begin, j0);
    __pipeline_commit();
    unsigned side = 0;
    for (size_t l = begin; l < end; l += SLAB, side ^= 1) {
        request_box<SLAB, SIDE>(left[side ^ 1][0], SIDE, x, end, n, n, l + SLAB, i0);
        request_box<SLAB, SIDE>(right[side ^ 1][0], SIDE, x, end, n, n, l + SLAB, j0);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < SLAB; k++) {
            float a[8], b[8];

            /* Two pieces of 4, 64 apart: neighbours' pieces lie side by side. */
            *(float4 *)a = *(const float4 *)&left[side][k][4 * row];
            *(float4 *)(a + 4) = *(const float4 *)&left[side][k][64 + 4 * row];
            *(float4 *)b = *(const float4 *)&right[side][k][4 * column];
            *(float4 *)(b + 4) = *(const float4 *)&right[side][k][64 + 4 * column];
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 8; j++)
                    sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    __pipeline_wait_prior(0);
#pragma unroll
    for (int e = 0; e < 64; e++) {
        const size_t i = i0 + e / 32 * 64 + 4 * row + e / 8 % 4, j = j0 + e / 4 % 2 * 64 + 4 * column + e % 4;
        if (i <= j && j < n)
            atomicAdd(&gram[i * n + j], (double)sum[e / 8][e % 8]);
    }
}

enum { DEPTH = 16 }; /* columns of Q, rows of R, at a time */

template <int ROWS> struct solve_memory {
    float q[2][ROWS][DEPTH + PAD];
    float r[2][DEPTH][PANEL];
    float tile[ROWS][PANEL + PAD];
    float diagonal[1][PANEL][PANEL];
};

/* q = x R^-1 for ROWS rows.  x may be q. */
template <int ROWS>
__global__ static void __launch_bounds__(TEAM)
    qr_solve(size_t m, size_t n, const float *x, const float *r, float *q, const struct guard *guard, int pass)
{
    extern __shared__ __align__(16) unsigned char shared[];
    solve_memory<ROWS> *memory = (solve_memory<ROWS> *)shared;
    constexpr int OWN = ROWS / 16; /* rows of a thread: y + 16 i; and 4 columns */
    const unsigned x4 = threadIdx.x % 16 * 4, y = threadIdx.x / 16;
    const size_t first = (size_t)blockIdx.x * ROWS;

    if (finished(guard, pass))
        return;
    for (size_t j0 = 0; j0 < n; j0 += PANEL) {
        float sum[OWN][4] = {};
        unsigned side = 0;

        for (unsigned at = threadIdx.x; at < ROWS * PANEL; at += TEAM) {
            const size_t i = first + at / PANEL, j = j0 + at % PANEL;
            memory->tile[at / PANEL][at % PANEL] = i < m && j < n ? x[i * n + j] : 0.0f;
        }
        for (unsigned at = threadIdx.x; at < PANEL * PANEL; at += TEAM) {
            const size_t i = j0 + at / PANEL, j = j0 + at % PANEL;
            const float of = i < n && j < n ? r[i * n + j] : i == j ? 1.0f : 0.0f;
            memory->diagonal[0][0][at] = i == j ? 1.0f / of : of;
        }
        __syncthreads(); /* also: columns to the left are written */
        request_box<ROWS, DEPTH>(memory->q[0][0], DEPTH + PAD, q, m, j0, n, first, 0);
        request_box<DEPTH, PANEL>(memory->r[0][0], PANEL, r, j0, n, n, 0, j0);
        __pipeline_commit();
        for (size_t l = 0; l < j0; l += DEPTH, side ^= 1) {
            request_box<ROWS, DEPTH>(memory->q[side ^ 1][0], DEPTH + PAD, q, m, j0, n, first, l + DEPTH);
            request_box<DEPTH, PANEL>(memory->r[side ^ 1][0], PANEL, r, j0, n, n, l + DEPTH, j0);
            __pipeline_commit();
            __pipeline_wait_prior(1);
            __syncthreads();
#pragma unroll
            for (int k = 0; k < DEPTH; k += 4) {
                float of[4][4];
#pragma unroll
                for (int d = 0; d < 4; d++)
                    *(float4 *)of[d] = *(const float4 *)&memory->r[side][k + d][x4];
#pragma unroll
                for (int i = 0; i < OWN; i++) {
                    const float4 by = *(const float4 *)&memory->q[side][y + 16 * i][k];
#pragma unroll
                    for (int c = 0; c < 4; c++)
                        sum[i][c] += by.x * of[0][c] + by.y * of[1][c] + by.z * of[2][c] + by.w * of[3][c];
                }
            }
            __syncthreads();
        }
        __pipeline_wait_prior(0);
#pragma unroll
        for (int i = 0; i < OWN; i++)
#pragma unroll
            for (int c = 0; c < 4; c++)
                memory->tile[y + 16 * i][x4 + c] -= sum[i][c];
        __syncthreads();
        if (threadIdx.x < ROWS)
            solve_row<PANEL>(memory->tile[threadIdx.x], 1, memory->diagonal);
        __syncthreads();
        for (unsigned at = threadIdx.x; at < ROWS * PANEL; at += TEAM) {
            const size_t i = first + at / PANEL, j = j0 + at % PANEL;
            if (i < m && j < n)
                q[i * n + j] = memory->tile[at / PANEL][at % PANEL];
        }
        __syncthreads();
    }
}

static double *d_gram;          /* [n][n] */
static float *d_scaled, *d_factor; /* [n][n] */
static struct guard *d_guard;

static void prepare_wide(size_t n)
{
    CUDA(cudaMalloc(&d_gram, n * n * sizeof *d_gram));
    CUDA(cudaMalloc(&d_scaled, n * n * sizeof *d_scaled));
    CUDA(cudaMalloc(&d_factor, n * n * sizeof *d_factor));
    CUDA(cudaMalloc(&d_guard, sizeof *d_guard));
    CUDA(cudaFuncSetAttribute(qr_solve<128>, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(solve_memory<128>)));
    CUDA(cudaFuncSetAttribute(qr_solve<32>, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(solve_memory<32>)));
}

/* gram += x'x */
static void add_gram(size_t m, size_t n, const float *x, int pass, unsigned processors)
{
    const size_t side = (n + SIDE - 1) / SIDE, tiles = side * (side + 1) / 2, wanted = 4 * processors / tiles + 1;
    const size_t even = (m / wanted + SHORTEST) / SHORTEST * SHORTEST, chunk = even < LONGEST ? even : LONGEST;

    qr_gram<<<dim3((unsigned)tiles, (unsigned)((m + chunk - 1) / chunk)), TEAM>>>(m, n, chunk, x, d_gram, d_guard, pass);
}

/* q = x R^-1 */
static void solve_wide(size_t m, size_t n, const float *x, float *q, int pass, unsigned processors)
{
    if (m / 128 >= 2 * processors)
        qr_solve<128><<<(unsigned)((m + 127) / 128), TEAM, sizeof(solve_memory<128>)>>>(m, n, x, d_factor, q, d_guard, pass);
    else
        qr_solve<32><<<(unsigned)((m + 31) / 32), TEAM, sizeof(solve_memory<32>)>>>(m, n, x, d_factor, q, d_guard, pass);
}

static void run_wide(size_t m, size_t n, const float *a, float *q, float *r, unsigned processors)
{
    CUDA(cudaMemsetAsync(d_guard, 0, sizeof *d_guard, 0));
    for (int pass = 0; pass < MOST_WIDE; pass++) {
        const float *x = pass == 0 ? a : q;

        CUDA(cudaMemsetAsync(d_gram, 0, n * n * sizeof *d_gram, 0));
        add_gram(m, n, x, pass, processors);
        factor_wide(n, d_gram, d_scaled, d_factor, r, d_guard, pass);
        solve_wide(m, n, x, q, pass, processors);
    }
    CUDA(cudaGetLastError());
}

static void release_wide(void)
{
    CUDA(cudaFree(d_gram));
    CUDA(cudaFree(d_scaled));
    CUDA(cudaFree(d_factor));
    CUDA(cudaFree(d_guard));
    d_gram = NULL;
    d_scaled = d_factor = NULL;
    d_guard = NULL;
}

#endif
