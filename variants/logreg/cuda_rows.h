/*
 * logreg: rows in registers.  Eight lanes take a row, each 4 K features of it by loads of 16 bytes.  They exchange their
 * parts of the margin by shuffles, and add the row's share of the gradient while it is still in their registers.
 *
 *     lane     0         4         8        ...  28        0
 *     feature  0 1 2 3   4 5 6 7   8 9 ...       28 .. 31  32 ...   (K = 2: features 32 to 63 are the second load)
 *
 * Lanes 1, 5 ... 29 have the warp's second row.  In this order tensor cores take rows as they lie (cuda_hessian.h).
 */
#ifndef RUNGS_LOGREG_CUDA_ROWS_H
#define RUNGS_LOGREG_CUDA_ROWS_H

#include "cuda_buffers.h" /* residual, join_parts, MOST_PARTS */

#ifndef ROW_THREADS
#define ROW_THREADS 256
#endif

enum {
    THREADS = ROW_THREADS,   /* of a block */
    TEAM = 8,                /* lanes to a row */
    TEAMS = 32 / TEAM,       /* in a warp */
    DEEP = 4,                /* rows that a team has under way */
    RUN = 16,                /* turns, 64 rows, before totals of float32 go into float64 */
    MOST_FEATURES = 4 * TEAM * 8
};

static const char *const too_many_features = "a row in the registers of eight lanes: takes at most 256 features";

/* This lane's features of a row; 0 for those that there are not. */
template <int K>
__device__ static inline void load_row(size_t n, const float *row, unsigned lane, bool there, float v[4 * K])
{
    const bool whole = n % 4 == 0;

#pragma unroll
    for (int k = 0; k < K; k++) {
        const size_t j = 4 * (lane + TEAM * (size_t)k);
        if (whole) {
            const float4 four = there && j < n ? *(const float4 *)(row + j) : float4{0.0f, 0.0f, 0.0f, 0.0f};
            v[4 * k] = four.x;
            v[4 * k + 1] = four.y;
            v[4 * k + 2] = four.z;
            v[4 * k + 3] = four.w;
        } else {
#pragma unroll
            for (int e = 0; e < 4; e++)
                v[4 * k + e] = there && j + e < n ? row[j + e] : 0.0f;
        }
    }
}

/* Adds up over the lanes of a team; all get the sum. */
__device__ static inline float team_sum(float x)
{
#pragma unroll
    for (int apart = TEAMS; apart < 32; apart *= 2)
        x += __shfl_xor_sync(0xffffffffu, x, apart);
    return x;
}

/* This lane's part of the gradient. */
template <int K>
struct share {
    double x[4 * K], one;
};

/* Adds this lane's part of DEEP rows from `base` on, which are `apart` apart. */
template <int K>
__device__ static inline void add_turn(size_t m, size_t n, const float *x, const uint8_t *y, const float (&w)[4 * K],
                                       float intercept, size_t base, size_t apart, unsigned lane, float (&g)[4 * K],
                                       float *one)
{
    float v[DEEP][4 * K], z[DEEP];
    unsigned label[DEEP];

#pragma unroll
    for (int u = 0; u < DEEP; u++) {
        const size_t i = base + u * apart;
        load_row<K>(n, x + i * n, lane, i < m, v[u]);
        label[u] = i < m ? y[i] : 0;
    }
#pragma unroll
    for (int u = 0; u < DEEP; u++) {
        z[u] = 0.0f;
#pragma unroll
        for (int e = 0; e < 4 * K; e++)
            z[u] += v[u][e] * w[e];
        z[u] = team_sum(z[u]);
    }
#pragma unroll
    for (int u = 0; u < DEEP; u++) {
        const float r = base + u * apart < m ? residual(z[u] + intercept, label[u]) : 0.0f;
        *one += r;
#pragma unroll
        for (int e = 0; e < 4 * K; e++)
            g[e] += r * v[u][e];
    }
}

/* Adds this lane's part of all rows that are its team's.  All lanes of a warp make as many turns. */
template <int K>
__device__ static inline void add_rows(size_t m, size_t n, const float *x, const uint8_t *y, const float *weights,
                                       struct share<K> *all)
{
    const unsigned lane = threadIdx.x % 32 / TEAMS, mine = threadIdx.x % TEAMS; /* in the team; the team's place in the warp */
    const size_t teams = (size_t)gridDim.x * THREADS / TEAM;
    const size_t first = ((size_t)blockIdx.x * THREADS + threadIdx.x) / 32 * TEAMS; /* team of the warp */
    float w[4 * K], g[4 * K], one = 0.0f;
    unsigned turns = 0;

    load_row<K>(n, weights, lane, true, w);
#pragma unroll
    for (int e = 0; e < 4 * K; e++)
        all->x[e] = g[e] = 0.0f;
    all->one = 0.0;
    for (size_t base = first; base < m; base += DEEP * teams) {
        add_turn<K>(m, n, x, y, w, weights[n], base + mine, teams, lane, g, &one);
        if (++turns % RUN != 0 && base + DEEP * teams < m)
            continue;
#pragma unroll
        for (int e = 0; e < 4 * K; e++) {
            all->x[e] += (double)g[e];
            g[e] = 0.0f;
        }
        all->one += (double)one;
        one = 0.0f;
    }
}

/* Adds up over the teams of the block; thread j < n + 1 writes component j. */
template <int K>
__device__ static inline void write_block(size_t n, struct share<K> *all, double *to)
{
    enum { WARPS = THREADS / 32, WIDTH = 4 * TEAM * K };
    __shared__ double found[WARPS][WIDTH + 1];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;

#pragma unroll
    for (int apart = 1; apart < TEAMS; apart *= 2) {
#pragma unroll
        for (int e = 0; e < 4 * K; e++)
            all->x[e] += __shfl_xor_sync(0xffffffffu, all->x[e], apart);
        all->one += __shfl_xor_sync(0xffffffffu, all->one, apart);
    }
    if (lane % TEAMS == 0) {
#pragma unroll
        for (int e = 0; e < 4 * K; e++)
            found[warp][4 * (lane / TEAMS + TEAM * (e / 4)) + e % 4] = all->x[e];
        if (lane == 0)
            found[warp][WIDTH] = all->one; /* every lane of a team has added the same */
    }
    __syncthreads();
    for (size_t j = threadIdx.x; j <= n; j += THREADS) {
        double sum = 0.0;
        for (int k = 0; k < WARPS; k++)
            sum += found[k][j < n ? j : (size_t)WIDTH];
        to[j] = sum;
    }
}

template <int K>
__global__ static void __launch_bounds__(THREADS) add_all(size_t m, size_t n, const float *x, const uint8_t *y,
                                                          const float *w, double *of_block)
{
    struct share<K> all;

    add_rows<K>(m, n, x, y, w, &all);
    write_block<K>(n, &all, of_block + blockIdx.x * (n + 1));
}

/* How many blocks share m rows: `each` per multiprocessor, unless there are fewer rows. */
static inline unsigned blocks_for(size_t m, int on, int each)
{
    const size_t needed = (m * TEAM + DEEP * THREADS - 1) / (DEEP * THREADS), most = (size_t)(on * each);
    const size_t blocks = needed < most ? needed : most;

    return (unsigned)(blocks < MOST_PARTS ? blocks : MOST_PARTS);
}

/* Launches the kernel for n features. */
static inline void launch_rows(unsigned blocks, cudaStream_t stream, size_t m, size_t n, const float *x, const uint8_t *y,
                               const float *w, double *of_block)
{
    if (n <= 32)
        add_all<1><<<blocks, THREADS, 0, stream>>>(m, n, x, y, w, of_block);
    else if (n <= 64)
        add_all<2><<<blocks, THREADS, 0, stream>>>(m, n, x, y, w, of_block);
    else if (n <= 128)
        add_all<4><<<blocks, THREADS, 0, stream>>>(m, n, x, y, w, of_block);
    else
        add_all<8><<<blocks, THREADS, 0, stream>>>(m, n, x, y, w, of_block);
    CUDA(cudaGetLastError());
}

#endif
