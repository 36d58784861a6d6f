/*
 * Cholesky's QR of a matrix of up to 64 columns, a launch a pass:
 *
 *     launch 0      G0 = A'A
 *     launch 1      R0'R0 = G0;  Q1 = A R0^-1, not stored;  G1 = Q1'Q1
 *     launch 2      R1'R1 = G1;  Q = (A R0^-1) R1^-1, R = R1 R0: stored;  or, if the guard says no, G2, and so on
 *
 * Each block factors the Gram matrix by itself, the same bits as all others, so nothing waits for a launch of one block.
 * A launch that finds the answer there ends at once: how many passes there are is decided on the device.
 *
 *     256 rows of A          a thread a row                          36 tiles of 8 x 8, seven groups of threads:
 *     +-----------+          q_k = a_k / r_kk,                       group g has rows g, g + 7, ...
 *     |           |   --->   a_j -= q_k r_kj for j > k       --->    of the 256
 *     +-----------+
 *
 * A row is solved by substitution and not by a product with R^-1, because q (R + E) = a with a small E, whatever the
 * condition (Higham, chapter 8).  So A = Q R holds after any number of passes; only Q'Q = I needs good factors.
 */
#ifndef RUNGS_QR_CUDA_NARROW_H
#define RUNGS_QR_CUDA_NARROW_H

#include <cuda_pipeline.h>

#include "cuda_factor.h" /* factor, limit_of, shift_of; TEAM */
#include "cuda_solve.h"  /* solve_row; PAD */

enum {
    WIDEST = 64,     /* columns */
    MOST_PASSES = 4, /* what the factors' room in shared memory allows */
    TILE = TEAM   /* rows of a tile */
};

/* What the launches tell each other.  It is cleared before the first. */
struct passes {
    double gram[MOST_PASSES][WIDEST * WIDEST];
    float factor[MOST_PASSES][WIDEST * WIDEST];
    int answered[MOST_PASSES + 1]; /* that launch has written the answer */
    int first_alone; /* R0 alone gives right angles, so that one substitution by R is as good as two */
};

template <int W> struct narrow_memory {
    float tile[2][TILE][W + PAD];
    float factors[MOST_PASSES + 1][W][W]; /* 1 / r_kk on the diagonal; the last: their product */
    struct factor_memory<W> work;
};

/* A block writes its 64 sums of each thread over its tiles. */
template <int W> constexpr size_t narrow_bytes()
{
    return sizeof(narrow_memory<W>) + (W < WIDEST ? TEAM * 64 * sizeof(float) : 0);
}

/* Requests the rows of tile t.  Rows that are not there become 0, and columns from n on stay 0. */
template <int W>
__device__ static void request(size_t t, size_t m, size_t n, const float *a, float (*to)[W + PAD])
{
    const size_t first = t * TILE, rows = min((size_t)TILE, m - first);
    const float *from = a + first * n;

    if (n % 4 == 0)
        for (unsigned p = threadIdx.x; p < rows * (n / 4); p += TEAM)
            __pipeline_memcpy_async(&to[p / (n / 4)][p % (n / 4) * 4], from + 4 * p, 16);
    else
        for (unsigned p = threadIdx.x; p < rows * n; p += TEAM)
            __pipeline_memcpy_async(&to[p / n][p % n], from + p, 4);
    if (threadIdx.x >= rows)
        for (unsigned j = 0; j < W; j++)
            to[threadIdx.x][j] = 0.0f;
}

/* The tiles of 8 x 8 above and on the diagonal, and the groups that share the rows. */
template <int W> struct grid_of {
    static constexpr int side = W / 8, pairs = side * (side + 1) / 2, groups = TEAM / pairs;
};

template <int W> __device__ static void place(unsigned pair, unsigned *i, unsigned *j)
{
    *i = 0;
    for (unsigned row = grid_of<W>::side; pair >= row; row--) {
        pair -= row;
        ++*i;
    }
    *j = *i + pair;
}

template <int W>
__device__ static void add_products(float (&sum)[8][8], const float (*tile)[W + PAD], unsigned i, unsigned j,
                                    unsigned group)
{
    for (unsigned row = group; row < TILE; row += grid_of<W>::groups) {
        float left[8], right[8];

        *(float4 *)left = *(const float4 *)&tile[row][8 * i];
        *(float4 *)(left + 4) = *(const float4 *)&tile[row][8 * i + 4];
        *(float4 *)right = *(const float4 *)&tile[row][8 * j];
        *(float4 *)(right + 4) = *(const float4 *)&tile[row][8 * j + 4];
#pragma unroll
        for (int y = 0; y < 8; y++)
#pragma unroll
            for (int x = 0; x < 8; x++)
                sum[y][x] += left[y] * right[x];
    }
}

/* Adds up the groups' sums, and adds them to those of other blocks, in float64. */
template <int W>
__device__ static void join(const float (&sum)[8][8], float (*room)[TEAM], double *gram)
{
    const unsigned pairs = grid_of<W>::pairs;

#pragma unroll
    for (int e = 0; e < 64; e++)
        room[e][threadIdx.x] = sum[e / 8][e % 8];
    __syncthreads();
    for (unsigned at = threadIdx.x; at < 64 * pairs; at += TEAM) {
        const unsigned pair = at % pairs, e = at / pairs;
        double total = 0.0;
        unsigned i, j;

        for (unsigned group = 0; group < grid_of<W>::groups; group++)
            total += room[e][group * pairs + pair];
        place<W>(pair, &i, &j);
        atomicAdd(&gram[(8 * i + e / 8) * W + 8 * j + e % 8], total);
    }
}

/* whole = the product of all factors, the last on the left.  Products of two at a time, through `room`. */
template <int W>
__device__ static void multiply_factors(unsigned count, const float (*factors)[W][W], float (*whole)[W], float (*room)[W])
{
    for (unsigned at = threadIdx.x; at < W * W; at += TEAM) {
        const float x = factors[0][at / W][at % W];
        whole[at / W][at % W] = at / W == at % W ? 1.0f / x : x;
    }
    for (unsigned t = 1; t < count; t++) {
        __syncthreads();
        for (unsigned at = threadIdx.x; at < W * W; at += TEAM) {
            const unsigned i = at / W, j = at % W;
            float sum = i <= j ? whole[i][j] / factors[t][i][i] : 0.0f;

            for (unsigned l = i + 1; l <= j; l++)
                sum += factors[t][i][l] * whole[l][j];
            room[i][j] = sum;
        }
        __syncthreads();
        for (unsigned at = threadIdx.x; at < W * W; at += TEAM)
            whole[at / W][at % W] = room[at / W][at % W];
    }
    __syncthreads();
}

/* least: so many passes at least. */
template <int W>
__global__ static void __launch_bounds__(TEAM, 1)
    qr_narrow(size_t m, size_t n, const float *a, float *q, float *r, struct passes *passes, unsigned launch, unsigned least)
{
    extern __shared__ __align__(16) unsigned char shared[];
    narrow_memory<W> *memory = (narrow_memory<W> *)shared;
    const size_t tiles = (m + TILE - 1) / TILE;
    const unsigned group = threadIdx.x / grid_of<W>::pairs;
    unsigned i, j, count = launch;
    bool last = false;
    float sum[8][8] = {};

    for (unsigned before = 1; before < launch; before++)
        if (passes->answered[before])
            return;
    for (unsigned at = threadIdx.x; at < 2 * TILE * (W + PAD); at += TEAM)
        memory->tile[0][0][at] = 0.0f;
    __syncthreads();
    if (blockIdx.x < tiles)
        request<W>(blockIdx.x, m, n, a, memory->tile[0]);
    __pipeline_commit();

    if (launch > 0) {
        const unsigned newest = launch - 1;
        bool alone = launch > 1 && passes->first_alone;

        for (unsigned at = threadIdx.x; at < newest * W * W; at += TEAM)
            memory->factors[0][0][at] = passes->factor[at / (W * W)][at % (W * W)];
        const bool well = factor<W>(n, true, limit_of(m, n), shift_of(n), passes->gram[newest], W, memory->factors[newest], &memory->work);
        alone |= launch == 1 && well;
        last = (well && launch >= least) || launch == MOST_PASSES;
        if (blockIdx.x == 0) {
            for (unsigned at = threadIdx.x; at < W * W; at += TEAM)
                passes->factor[newest][at] = memory->factors[newest][0][at];
            if (threadIdx.x == 0 && launch == 1)
                passes->first_alone = well;
            if (threadIdx.x == 0 && last)
                passes->answered[launch] = 1;
        }
        if (last) {
            float(*whole)[W] = memory->factors[MOST_PASSES];
            multiply_factors<W>(count, memory->factors, whole, (float(*)[W])memory->tile[1]);
            if (blockIdx.x == 0)
                for (unsigned at = threadIdx.x; at < n * n; at += TEAM)
                    r[at] = at / n <= at % n ? whole[at / n][at % n] : 0.0f;
            if (alone) {
                for (unsigned at = threadIdx.x; at < W * W; at += TEAM)
                    memory->factors[0][0][at] = at / W == at % W ? 1.0f / whole[0][at] : whole[0][at];
                count = 1;
            }
            __syncthreads();
            for (unsigned at = threadIdx.x; at < TILE * (W + PAD); at += TEAM)
                memory->tile[1][0][at] = 0.0f;
            __syncthreads();
        }
    }

    place<W>(threadIdx.x % grid_of<W>::pairs, &i, &j);
    unsigned side = 0;
    for (size_t t = blockIdx.x; t < tiles; t += gridDim.x, side ^= 1) {
        float(*tile)[W + PAD] = memory->tile[side];

        if (t + gridDim.x < tiles)
            request<W>(t + gridDim.x, m, n, a, memory->tile[side ^ 1]);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        if (count > 0) {
            solve_row<W>(tile[threadIdx.x], count, memory->factors);
            __syncthreads();
        }
        if (last) {
            const size_t first = t * TILE, rows = min((size_t)TILE, m - first);
            if (n % 4 == 0)
                for (unsigned p = threadIdx.x; p < rows * (n / 4); p += TEAM)
                    *(float4 *)(q + first * n + 4 * p) = *(const float4 *)&tile[p / (n / 4)][p % (n / 4) * 4];
            else
                for (unsigned p = threadIdx.x; p < rows * n; p += TEAM)
                    q[first * n + p] = tile[p / n][p % n];
        } else if (group < grid_of<W>::groups) {
            add_products<W>(sum, tile, i, j, group);
        }
        __syncthreads(); /* the tile is requested into again */
    }
    if (!last) {
        float(*room)[TEAM] = (float(*)[TEAM])(W < WIDEST ? shared + sizeof *memory : shared);
        join<W>(sum, room, passes->gram[launch]);
    }
}

#endif
