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
 */
#ifndef RUNGS_LOGREG_CUDA_HESSIAN_H
#define RUNGS_LOGREG_CUDA_HESSIAN_H

#include "cuda_rows.h" /* team_sum */

enum { MOST_CURVED = 64 /* features */, WARPS = THREADS / 32, EIGHT = 8 /* rows of a warp */, TILE = EIGHT * WARPS };

static const char *const too_wide = "the Hessian's pieces stay in registers: takes at most 64 features";

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

/* residual() with a quotient that may be off in the last bit. */
__device__ static inline float quick_residual(float z, unsigned y)
{
    const float share = __fdividef(1.0f, 1.0f + expf(y != 0 ? z : -z));

    return y != 0 ? -share : share;
}

/* Takes this lane's features of two rows, by a whole warp. */
template <int K>
__device__ static inline void take_rows(const float (&v)[2][4 * K], const float (&w)[4 * K], float intercept,
                                        const unsigned (&label)[2], const bool (&there)[2], struct curved<K> *to)
{
    const bool second = threadIdx.x / TEAMS % 2 != 0; /* which row's residual the lane computes; its neighbour has the other's */
    float z[2], r[2], s[2][4 * K];

#pragma unroll
    for (int u = 0; u < 2; u++) {
        z[u] = 0.0f;
#pragma unroll
        for (int e = 0; e < 4 * K; e++)
            z[u] += v[u][e] * w[e];
        z[u] = team_sum(z[u]); /* by all lanes, also where there is no row */
    }
    const float mine = quick_residual((second ? z[1] : z[0]) + intercept, second ? label[1] : label[0]);
    const float other = __shfl_xor_sync(0xffffffffu, mine, TEAMS);
    r[0] = there[0] ? second ? other : mine : 0.0f;
    r[1] = there[1] ? second ? mine : other : 0.0f;
#pragma unroll
    for (int u = 0; u < 2; u++) {
        const float d = fabsf(r[u]) * (1.0f - fabsf(r[u])); /* |r| is p or 1 - p */
        const float root = d * rsqrtf(fmaxf(d, 0x1p-120f));
        to->one += r[u];
        to->weight += d;
#pragma unroll
        for (int e = 0; e < 4 * K; e++) {
            to->sum[curved<K>::GRADIENT + e / 4][e % 4] += r[u] * v[u][e];
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

#endif
