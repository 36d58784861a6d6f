/*
 * logreg: gradient and Hessian from one reading.
 *
 * Rows pass through the registers of eight lanes each, as in cuda_rows.h.  Each then also lies in a tile of 64 rows in
 * shared memory, from which the warps' tensor cores multiply X' D X, a piece of 16 x 8 at a time.  They take numbers of
 * TF32, so each is split in two.  With one alone, off in the fourth digit, the Hessian of a table whose columns nearly
 * repeat each other is no longer positive definite.
 *
 * The sums of a block: the gradient [n + 1], then the Hessian's lower triangle, row by row, whose last row belongs to the
 * intercept.
 */
#ifndef RUNGS_LOGREG_CUDA_HESSIAN_H
#define RUNGS_LOGREG_CUDA_HESSIAN_H

#include "cuda_rows.h" /* load_row, team_sum, share, write_block */

enum { MOST_CURVED = 64 /* features */, TILE = 64 /* rows */, AT_ONCE = TILE * TEAM / THREADS /* rows of a team */ };

static const char *const too_wide = "the Hessian's pieces stay in registers: takes at most 64 features";

__host__ __device__ static inline size_t sums_of(size_t n)
{
    return n + 1 + (n + 1) * (n + 2) / 2;
}

/* The tile's rows are 8 banks apart, so that the 32 numbers of a piece are in different banks. */
template <int K>
struct tile {
    float x[TILE][32 * K + 8], curved[TILE];
};

/* d += a b: 16 x 8 and 8 x 8 numbers (PTX ISA, mma.m16n8k8).  Lane l holds of a the rows l/4 and l/4 + 8, columns l%4 and
   l%4 + 4; of b the rows l%4 and l%4 + 4, column l/4; of d the rows l/4 and l/4 + 8, columns 2 (l%4) and the next. */
__device__ static inline void multiply_rounded(float d[4], const unsigned a[4], const unsigned b[2])
{
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9},"
        " {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/* The nearest number of 10 bits of mantissa, halves away from zero, and what is left of x. */
__device__ static inline void split(float x, unsigned *high, unsigned *low)
{
    *high = (__float_as_uint(x) + 0x1000u) & ~0x1fffu;
    *low = __float_as_uint(x - __uint_as_float(*high)) & ~0x1fffu;
}

/* The same with each number as the sum of two: only the product of the two small ones is left out. */
__device__ static inline void multiply(float d[4], const float a[4], const float b[2])
{
    unsigned a_high[4], a_low[4], b_high[2], b_low[2];

#pragma unroll
    for (int i = 0; i < 4; i++)
        split(a[i], &a_high[i], &a_low[i]);
#pragma unroll
    for (int i = 0; i < 2; i++)
        split(b[i], &b_high[i], &b_low[i]);
    multiply_rounded(d, a_high, b_high);
    multiply_rounded(d, a_low, b_high);
    multiply_rounded(d, a_high, b_low);
}

/* Pieces of the lower triangle, in rows of 16 and columns of 8: 2 in the first row of pieces, 4 in the second ... */
template <int K>
struct pieces {
    enum { ALL = 2 * K * (2 * K + 1), EACH = (ALL + THREADS / 32 - 1) / (THREADS / 32) };
    float sum[EACH][4];
};

__device__ static inline void place_of(int piece, int *row, int *column)
{
    int r = 0;

    while ((r + 1) * (r + 2) <= piece)
        r++;
    *row = 16 * r;
    *column = 8 * (piece - r * (r + 1));
}

/* Adds the tile's share of this warp's pieces. */
template <int K>
__device__ static inline void add_pieces(const struct tile<K> *t, struct pieces<K> *all)
{
    const int warp = threadIdx.x / 32, high = threadIdx.x % 32 / 4, low = threadIdx.x % 4;

#pragma unroll
    for (int e = 0; e < pieces<K>::EACH; e++) {
        const int piece = warp + THREADS / 32 * e;
        int row, column;
        if (piece >= pieces<K>::ALL)
            break;
        place_of(piece, &row, &column);
#pragma unroll
        for (int k = 0; k < TILE; k += 8) {
            const float *upper = t->x[k + low], *lower = t->x[k + low + 4];
            const float d = t->curved[k + low], f = t->curved[k + low + 4];
            const float a[4] = {d * upper[row + high], d * upper[row + high + 8], f * lower[row + high],
                                f * lower[row + high + 8]};
            const float b[2] = {upper[column + high], lower[column + high]};
            multiply(all->sum[e], a, b);
        }
    }
}

/* Writes this warp's pieces into the lower triangle. */
template <int K>
__device__ static inline void write_pieces(size_t n, const struct pieces<K> *all, double *triangle)
{
    const int warp = threadIdx.x / 32, high = threadIdx.x % 32 / 4, low = threadIdx.x % 4;

#pragma unroll
    for (int e = 0; e < pieces<K>::EACH; e++) {
        const int piece = warp + THREADS / 32 * e;
        int row, column;
        if (piece >= pieces<K>::ALL)
            break;
        place_of(piece, &row, &column);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const size_t a = (size_t)(row + high + i / 2 * 8), b = (size_t)(column + 2 * low + i % 2);
            if (a < n && b <= a)
                triangle[a * (a + 1) / 2 + b] = (double)all->sum[e][i];
        }
    }
}

/* What one lane adds up: its features of the gradient, and of the Hessian's last row. */
template <int K>
struct both {
    struct share<K> gradient, last;
};

/* Takes one row: this lane's features are in v, and go into the tile at `place`. */
template <int K>
__device__ static inline void take_row(const float (&v)[4 * K], const float (&w)[4 * K], float intercept, unsigned label,
                                       bool there, unsigned lane, unsigned place, struct tile<K> *t, float (&g)[4 * K],
                                       float (&h)[4 * K], float *one, float *curved)
{
    float z = 0.0f;

#pragma unroll
    for (int e = 0; e < 4 * K; e++)
        z += v[e] * w[e];
    z = team_sum(z); /* by all lanes, also where there is no row */
    const float r = there ? residual(z + intercept, label) : 0.0f;
    const float d = fabsf(r) * (1.0f - fabsf(r)); /* |r| is p or 1 - p */
    *one += r;
    *curved += d;
#pragma unroll
    for (int e = 0; e < 4 * K; e++) {
        g[e] += r * v[e];
        h[e] += d * v[e];
    }
#pragma unroll
    for (int k = 0; k < K; k++)
        *(float4 *)&t->x[place][4 * (lane + TEAM * k)] = float4{v[4 * k], v[4 * k + 1], v[4 * k + 2], v[4 * k + 3]};
    if (lane == 0)
        t->curved[place] = d;
}

/* Every `step`-th of m rows.  All threads of the block make as many turns. */
template <int K>
__device__ static inline void add_curved(size_t m, size_t n, size_t step, const float *x, const uint8_t *y,
                                         const float *weights, struct tile<K> *t, struct both<K> *all, struct pieces<K> *of)
{
    const size_t rows = (m + step - 1) / step;
    const unsigned lane = threadIdx.x % TEAM, team = threadIdx.x / TEAM;
    float w[4 * K], g[4 * K], h[4 * K], one = 0.0f, curved = 0.0f;

    load_row<K>(n, weights, lane, true, w);
#pragma unroll
    for (int e = 0; e < 4 * K; e++)
        all->gradient.x[e] = all->last.x[e] = g[e] = h[e] = 0.0f;
    all->gradient.one = all->last.one = 0.0;
#pragma unroll
    for (int e = 0; e < pieces<K>::EACH; e++)
        of->sum[e][0] = of->sum[e][1] = of->sum[e][2] = of->sum[e][3] = 0.0f;
    unsigned turns = 0;
    for (size_t first = (size_t)blockIdx.x * TILE; first < rows; first += (size_t)gridDim.x * TILE) {
        float v[AT_ONCE][4 * K];
        unsigned label[AT_ONCE];
#pragma unroll
        for (int u = 0; u < AT_ONCE; u++) {
            const size_t i = first + team + (size_t)u * (THREADS / TEAM);
            load_row<K>(n, x + i * step * n, lane, i < rows, v[u]);
            label[u] = i < rows ? y[i * step] : 0;
        }
        __syncthreads(); /* the tile before has been multiplied */
#pragma unroll
        for (int u = 0; u < AT_ONCE; u++) {
            const unsigned place = team + u * (THREADS / TEAM);
            take_row<K>(v[u], w, weights[n], label[u], first + place < rows, lane, place, t, g, h, &one, &curved);
        }
        __syncthreads();
        add_pieces<K>(t, of);
        if (++turns % (64 / AT_ONCE) != 0 && first + (size_t)gridDim.x * TILE < rows)
            continue;
#pragma unroll
        for (int e = 0; e < 4 * K; e++) {
            all->gradient.x[e] += (double)g[e];
            all->last.x[e] += (double)h[e];
            g[e] = h[e] = 0.0f;
        }
        all->gradient.one += (double)one;
        all->last.one += (double)curved;
        one = curved = 0.0f;
    }
}

/* Writes what the block has found. */
template <int K>
__device__ static inline void write_curved(size_t n, struct both<K> *all, const struct pieces<K> *of, double *to)
{
    double *triangle = to + n + 1;

    write_block<K>(n, &all->gradient, to);
    __syncthreads(); /* its shared memory is used again */
    write_block<K>(n, &all->last, triangle + n * (n + 1) / 2);
    write_pieces<K>(n, of, triangle);
}

template <int K>
__global__ static void __launch_bounds__(THREADS) add_all_curved(size_t m, size_t n, size_t step, const float *x,
                                                                 const uint8_t *y, const float *w, double *of_block)
{
    __shared__ struct tile<K> t;
    struct both<K> all;
    struct pieces<K> of;

    add_curved<K>(m, n, step, x, y, w, &t, &all, &of);
    write_curved<K>(n, &all, &of, of_block + blockIdx.x * sums_of(n));
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

#endif
