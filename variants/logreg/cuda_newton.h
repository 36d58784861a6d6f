/*
 * logreg: Newton's method on a GPU, led by the host: cuda_newton, cuda_sampled, cuda_streams.
 *
 * The sums of a block: the gradient [n + 1], then the Hessian's lower triangle, row by row, whose last row belongs to the
 * intercept.
 */
#ifndef RUNGS_LOGREG_CUDA_NEWTON_H
#define RUNGS_LOGREG_CUDA_NEWTON_H

#include "cuda_hessian.h" /* take_rows, join_warps, place_of */
#include "cuda_rows.h"    /* load_row, share, write_block, launch_rows */
#include "newton.h"       /* newton_start, newton_next */

__host__ __device__ static inline size_t sums_of(size_t n)
{
    return n + 1 + (n + 1) * (n + 2) / 2;
}

/* The gradient and the Hessian's last row of a lane, in float64. */
template <int K>
struct both {
    struct share<K> gradient, last;
};

template <int K>
__device__ static inline void widen_sums(struct curved<K> *c, struct both<K> *all)
{
#pragma unroll
    for (int e = 0; e < 4 * K; e++) {
        float *g = &c->sum[curved<K>::GRADIENT + e / 4][e % 4], *h = &c->sum[curved<K>::LAST + e / 4][e % 4];
        all->gradient.x[e] += (double)*g;
        all->last.x[e] += (double)*h;
        *g = *h = 0.0f;
    }
    all->gradient.one += (double)c->one;
    all->last.one += (double)c->weight;
    c->one = c->weight = 0.0f;
}

/* Every `step`-th of m rows.  All lanes of a warp make as many turns. */
template <int K>
__device__ static inline void add_curved(size_t m, size_t n, size_t step, const float *x, const uint8_t *y,
                                         const float *weights, struct both<K> *all, struct curved<K> *c)
{
    enum { AT_ONCE = K == 1 ? 2 : 1, /* times eight rows, whose loads are under way together */ WIDEN = 64 / (2 * AT_ONCE) };
    const size_t rows = (m + step - 1) / step;
    const unsigned lane = threadIdx.x % 32 / TEAMS, team = threadIdx.x % TEAMS;
    const size_t warp = (size_t)blockIdx.x * WARPS + threadIdx.x / 32, warps = (size_t)gridDim.x * WARPS;
    unsigned turns = 0;
    float w[4 * K];

    load_row<K>(n, weights, lane, true, w);
    start_curved<K>(c);
#pragma unroll
    for (int e = 0; e < 4 * K; e++)
        all->gradient.x[e] = all->last.x[e] = 0.0;
    all->gradient.one = all->last.one = 0.0;
    for (size_t first = warp * EIGHT * AT_ONCE; first < rows; first += warps * EIGHT * AT_ONCE) {
        float v[AT_ONCE][2][4 * K];
        unsigned label[AT_ONCE][2];
        bool there[AT_ONCE][2];
#pragma unroll
        for (int k = 0; k < 2 * AT_ONCE; k++) {
            const size_t i = first + team + (size_t)k * TEAMS;
            there[k / 2][k % 2] = i < rows;
            load_row<K>(n, x + i * step * n, lane, i < rows, v[k / 2][k % 2]);
            label[k / 2][k % 2] = i < rows ? y[i * step] : 0;
        }
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++)
            take_rows<K>(v[k], w, weights[n], label[k], there[k], c);
        if (++turns % WIDEN == 0)
            widen_sums<K>(c, all);
    }
    widen_sums<K>(c, all);
}

template <int K>
__global__ static void __launch_bounds__(THREADS, K == 1 ? 2 : 1)
    add_all_curved(size_t m, size_t n, size_t step, const float *x, const uint8_t *y, const float *w, double *of_block)
{
    enum { PIECES = curved<K>::PIECES };
    __shared__ float4 part[WARPS / 2][PIECES][32];
    double *to = of_block + blockIdx.x * sums_of(n), *triangle = to + n + 1;
    struct both<K> all;
    struct curved<K> c;

    add_curved<K>(m, n, step, x, y, w, &all, &c);
    write_block<K>(n, &all.gradient, to);
    __syncthreads(); /* its shared memory is used again */
    write_block<K>(n, &all.last, triangle + n * (n + 1) / 2);
    join_warps<PIECES>(c.sum, part);
    for (unsigned at = threadIdx.x; at < PIECES * 128; at += THREADS) {
        size_t a, b;
        float sum = 0.0f;
        if (!place_of(at, n, &a, &b))
            continue;
        for (unsigned k = 0; k < WARPS / 2; k++)
            sum += ((const float *)part[k])[at];
        triangle[a * (a + 1) / 2 + b] = (double)sum;
    }
}

enum { ACROSS = 32, DOWN = 16 };

/* Adds up what the blocks have found: each of ACROSS columns by DOWN threads, always in the same order. */
__global__ static void join_columns(size_t width, unsigned parts, const double *of_block, double *sums)
{
    __shared__ double mine[DOWN][ACROSS];
    const size_t column = (size_t)blockIdx.x * ACROSS + threadIdx.x;
    double sum = 0.0;

    for (unsigned part = threadIdx.y; part < parts && column < width; part += DOWN)
        sum += of_block[part * width + column];
    mine[threadIdx.y][threadIdx.x] = sum;
    for (unsigned half = DOWN / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.y < half)
            mine[threadIdx.y][threadIdx.x] += mine[threadIdx.y + half][threadIdx.x];
    }
    if (threadIdx.y == 0 && column < width)
        sums[column] = mine[0][threadIdx.x];
}

/* Launches the kernels for n features: every `step`-th row of m.  Sums of blocks go to `of_block`, all to `sums`. */
static inline void launch_curved(unsigned blocks, cudaStream_t stream, size_t m, size_t n, size_t step, const float *x,
                                 const uint8_t *y, const float *w, double *of_block)
{
    if (n <= 32)
        add_all_curved<1><<<blocks, THREADS, 0, stream>>>(m, n, step, x, y, w, of_block);
    else
        add_all_curved<2><<<blocks, THREADS, 0, stream>>>(m, n, step, x, y, w, of_block);
    CUDA(cudaGetLastError());
}

static inline void launch_join(cudaStream_t stream, size_t width, unsigned parts, const double *of_block, double *sums)
{
    join_columns<<<(unsigned)((width + ACROSS - 1) / ACROSS), dim3(ACROSS, DOWN), 0, stream>>>(width, parts, of_block, sums);
    CUDA(cudaGetLastError());
}

enum { MOST_BLOCKS = 1024, EACH = 2, ROWS_EACH = 4 /* blocks per multiprocessor, with and without the Hessian */ };

static double *d_curved, *d_totals, *h_totals; /* [MOST_BLOCKS][sums_of(n)]; [sums_of(n)] */
static double *hessian;                        /* [n + 1][n + 1] */
static void *newton_memory;

static inline const char *refuse_wide(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    return p->n > MOST_CURVED ? too_wide : NULL;
}

static inline void prepare_newton(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;
    const size_t length = sums_of(p->n);

    prepare(problem);
    CUDA(cudaMalloc(&d_curved, MOST_BLOCKS * length * sizeof *d_curved));
    CUDA(cudaMalloc(&d_totals, length * sizeof *d_totals));
    CUDA(cudaMallocHost(&h_totals, length * sizeof *h_totals));
    hessian = (double *)malloc((p->n + 1) * (p->n + 1) * sizeof *hessian);
    newton_memory = malloc(newton_bytes(p->n + 1));
}

static inline void release_newton(void)
{
    CUDA(cudaFree(d_curved));
    CUDA(cudaFree(d_totals));
    CUDA(cudaFreeHost(h_totals));
    free(hessian);
    free(newton_memory);
    release();
}

static inline unsigned blocks_of(size_t rows)
{
    const size_t tiles = (rows + TILE - 1) / TILE, most = (size_t)(processors * EACH);
    const size_t blocks = tiles < most ? tiles : most;

    return (unsigned)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS);
}

static inline void send_weights(const struct logreg *p, const float *w)
{
    memcpy(h_w, w, (p->n + 1) * sizeof *w);
    CUDA(cudaMemcpyAsync(d_w, h_w, (p->n + 1) * sizeof *d_w, cudaMemcpyHostToDevice, 0));
}

/* Fetches the totals of this many rows, and finishes gradient and Hessian. */
static inline void fetch_totals(const struct logreg *p, const float *w, size_t rows)
{
    const size_t n = p->n + 1;

    CUDA(cudaMemcpyAsync(h_totals, d_totals, sums_of(p->n) * sizeof *h_totals, cudaMemcpyDeviceToHost, 0));
    CUDA(cudaStreamSynchronize(0));
    for (size_t j = 0; j < n; j++)
        gradient[j] = h_totals[j] / (double)rows + (j + 1 < n ? (double)p->lambda * (double)w[j] : 0.0);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            hessian[i * n + j] = h_totals[n + i * (i + 1) / 2 + j] / (double)rows +
                                 (i == j && i + 1 < n ? (double)p->lambda : 0.0);
}

/* Evaluates on every `step`-th row. */
static inline void evaluate_curved(const struct logreg *p, const float *w, size_t step)
{
    const size_t rows = (p->m + step - 1) / step;
    const unsigned blocks = blocks_of(rows);

    send_weights(p, w);
    launch_curved(blocks, 0, p->m, p->n, step, d_x, d_y, d_w, d_curved);
    launch_join(0, sums_of(p->n), blocks, d_curved, d_totals);
    fetch_totals(p, w, rows);
}

/* Newton's method on every `step`-th row, from answer_w on to there. */
static inline void solve_newton(const struct logreg *p, size_t step, double tau)
{
    struct newton t;
    int more = 1;

    newton_start(&t, p->n + 1, tau, newton_memory);
    memcpy(t.trial, answer_w, (p->n + 1) * sizeof *answer_w);
    while (more) {
        evaluate_curved(p, t.trial, step);
        more = newton_next(&t, gradient, hessian);
        trace_add(1.0 / (double)step, t.size);
    }
    memcpy(answer_w, t.best, (p->n + 1) * sizeof *answer_w);
}

/* The gradient alone, of all rows. */
static void add_up(const struct logreg *p)
{
    const unsigned blocks = blocks_for(p->m, processors, ROWS_EACH);

    launch_rows(blocks, 0, p->m, p->n, d_x, d_y, d_w, d_parts);
    join_parts<<<(unsigned)p->n + 1, JOINERS>>>(p->n + 1, blocks, d_parts, d_sums);
    CUDA(cudaGetLastError());
}

#endif
