/*
 * logreg: gradient and Hessian from one reading.
 *
 * The Hessian is S'S, where S has each row times the root of p (1 - p).  A warp takes eight rows at a time, in the order of
 * cuda_rows.h: lane l has features 4 (l/4) and the next three, of rows l%4 and l%4 + 4.  The first features of all lanes make
 * a block of 8, the second ones another.  So the lane's numbers are already those that it owes to the tensor cores: S goes from
 * memory through registers into the products, 16 x 8 of S'S at a time, and no warp needs a number of another lane.
 *
 * The tensor cores take numbers of TF32, so each is split in two, once.  With one alone, off in the fourth digit, the Hessian
 * of a table whose columns nearly repeat each other is no longer positive definite.
 *
 * The sums of a block: the gradient [n + 1], then the Hessian's lower triangle, row by row, whose last row belongs to the
 * intercept.
 */
#ifndef RUNGS_LOGREG_CUDA_HESSIAN_H
#define RUNGS_LOGREG_CUDA_HESSIAN_H

#include "cuda_rows.h" /* load_row, team_sum, share, write_block */

enum { MOST_CURVED = 64 /* features */, WARPS = THREADS / 32, EIGHT = 8 /* rows of a warp */, TILE = EIGHT * WARPS };

static const char *const too_wide = "the Hessian's pieces stay in registers: takes at most 64 features";

__host__ __device__ static inline size_t sums_of(size_t n)
{
    return n + 1 + (n + 1) * (n + 2) / 2;
}

/* What a lane adds up: pieces of the Hessian's lower triangle, 2 in the first row of pieces, 4 in the second ...; then its
   features of the gradient, and of the Hessian's last row.  `one` and `weight` belong to the intercept. */
template <int K>
struct curved {
    enum { PIECES = 2 * K * (2 * K + 1), GRADIENT = PIECES, LAST = PIECES + K, ALL = PIECES + 2 * K };
    float sum[ALL][4], one, weight;
};

/* d += a b: 16 x 8 and 8 x 8 numbers (PTX ISA, mma.m16n8k8).  Lane l holds of a the rows l/4 and l/4 + 8, columns l%4 and
   l%4 + 4; of b the rows l%4 and l%4 + 4, column l/4; of d the rows l/4 and l/4 + 8, columns 2 (l%4) and the next. */
__device__ static inline void multiply_rounded(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2])
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

/* Adds S'S of eight rows.  Each number is the sum of two: only the product of the two small ones is left out. */
template <int K>
__device__ static inline void multiply(const float (&s)[2][4 * K], struct curved<K> *to)
{
    unsigned high[4 * K][2], low[4 * K][2];

#pragma unroll
    for (int e = 0; e < 4 * K; e++)
#pragma unroll
        for (int u = 0; u < 2; u++)
            split(s[u][e], &high[e][u], &low[e][u]);
#pragma unroll
    for (int r = 0; r < 2 * K; r++) {
        const unsigned a_high[4] = {high[2 * r][0], high[2 * r + 1][0], high[2 * r][1], high[2 * r + 1][1]};
        const unsigned a_low[4] = {low[2 * r][0], low[2 * r + 1][0], low[2 * r][1], low[2 * r + 1][1]};
#pragma unroll
        for (int c = 0; c < 2 * r + 2; c++) {
            float(&d)[4] = to->sum[r * (r + 1) + c];
            multiply_rounded(d, a_high, high[c]);
            multiply_rounded(d, a_low, high[c]);
            multiply_rounded(d, a_high, low[c]);
        }
    }
}

/* Takes this lane's features of two rows, by a whole warp. */
template <int K>
__device__ static inline void take_rows(const float (&v)[2][4 * K], const float (&w)[4 * K], float intercept,
                                        const unsigned (&label)[2], const bool (&there)[2], struct curved<K> *to)
{
    float s[2][4 * K];

#pragma unroll
    for (int u = 0; u < 2; u++) {
        float z = 0.0f;
#pragma unroll
        for (int e = 0; e < 4 * K; e++)
            z += v[u][e] * w[e];
        z = team_sum(z); /* by all lanes, also where there is no row */
        const float r = there[u] ? residual(z + intercept, label[u]) : 0.0f;
        const float d = fabsf(r) * (1.0f - fabsf(r)); /* |r| is p or 1 - p */
        const float root = sqrtf(d);
        to->one += r;
        to->weight += d;
#pragma unroll
        for (int e = 0; e < 4 * K; e++) {
            to->sum[curved<K>::GRADIENT + e / 4][e % 4] += r * v[u][e];
            to->sum[curved<K>::LAST + e / 4][e % 4] += d * v[u][e];
            s[u][e] = root * v[u][e];
        }
    }
    multiply<K>(s, to);
}

template <int K>
__device__ static inline void start_curved(struct curved<K> *c)
{
#pragma unroll
    for (int k = 0; k < curved<K>::ALL; k++)
        c->sum[k][0] = c->sum[k][1] = c->sum[k][2] = c->sum[k][3] = 0.0f;
    c->one = c->weight = 0.0f;
}

/* Adds up the first COUNT groups of four over the block: each is then the sum of part[.][group][lane]. */
template <int COUNT>
__device__ static inline void join_warps(const float (*sum)[4], float4 (*part)[COUNT][32])
{
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;

    if (warp >= WARPS / 2)
#pragma unroll
        for (int k = 0; k < COUNT; k++)
            part[warp - WARPS / 2][k][lane] = float4{sum[k][0], sum[k][1], sum[k][2], sum[k][3]};
    __syncthreads();
    if (warp < WARPS / 2)
#pragma unroll
        for (int k = 0; k < COUNT; k++) {
            const float4 other = part[warp][k][lane];
            part[warp][k][lane] = float4{sum[k][0] + other.x, sum[k][1] + other.y, sum[k][2] + other.z, sum[k][3] + other.w};
        }
    __syncthreads();
}

/* The two features of number `at` of the pieces, 128 to a piece: a >= b.  Returns whether it is of the triangle, and counts. */
__device__ static inline bool place_of(unsigned at, size_t n, size_t *a, size_t *b)
{
    const unsigned piece = at / 128, lane = at % 128 / 4, i = at % 4;
    unsigned r = 0;

    while ((r + 1) * (r + 2) <= piece)
        r++;
    const unsigned row = 2 * r + i / 2, column = piece - r * (r + 1); /* blocks of 8 */
    const size_t x = 4 * (lane / 4 + 8 * (row / 4)) + row % 4, y = 4 * (lane % 4 * 2 + i % 2 + 8 * (column / 4)) + column % 4;

    *a = x > y ? x : y;
    *b = x > y ? y : x;
    return *a < n && (column < row || (column == row && y <= x));
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

#endif
