/*
 * Phase correlation in three kernels, with nothing in memory between them but half of a spectrum:
 *
 *     rows       rows of a + ib in registers, taken apart into A and B by symmetry         8 bytes a pixel in, 8 out
 *     columns    a few columns of A and of B forward, conj R, and forward again: K         8 in, 4 out
 *     back       two rows of K are a complex row of g.  No g is stored, only where it is   4 in
 *                highest.  The last block of a pair transforms three rows once more, for the parabola
 *
 * (../variants/align/real.h, which cpu_real uses, derives the three steps.)  A spectrum lies in memory as [groups][rows][wide]:
 * `wide` columns side by side, so that a block that takes them reads whole sectors, one after another.
 *
 * Each kernel is a loop body, an `item`, of BLOCK threads: a kernel per step runs one item per block.
 * Of N numbers each of N/E threads holds E, as ../fft/passes.h has it: v[k] of thread j is number j + k*N/E.
 */
#ifndef RUNGS_ALIGN_CUDA_FUSED_H
#define RUNGS_ALIGN_CUDA_FUSED_H

#include "../fft/passes.h" /* radices, passes, root */
#include "cuda_buffers.h"  /* d_a, d_b, d_eps, d_answers, d_best; peak_word, answers */

/* Some pairs, and what a kernel needs to know of them. */
struct job {
    unsigned pairs, rows, cols, half, groups, wide; /* half: columns of a spectrum, cols/2 + 1, in groups of `wide` */
    const float *a, *b, *eps;
    const float2 *of_rows, *of_cols; /* roots of unity */
    float2 *A, *B;                   /* [pairs][groups][rows][wide] */
    peak_word *best;                 /* [pairs] */
    unsigned *done;                  /* [pairs] blocks that have finished */
    answers to;
};

/* The threads of a block, and how many lines of N numbers they hold. */
template <class L>
struct shape_of {
    static constexpr unsigned BLOCK = L::THREADS > 64 ? 512 : 256, LINES = BLOCK / L::THREADS,
                              SHARED = LINES * L::place(L::N) * sizeof(float2);
};

__device__ static inline size_t spectrum_at(const job &p, unsigned pair, unsigned row, unsigned column)
{
    return (((size_t)pair * p.groups + column / p.wide) * p.rows + row) * p.wide + column % p.wide;
}

/* --- rows ------------------------------------------------------------------------------------------ */

template <class L>
__host__ __device__ static unsigned rows_items(const job &p)
{
    return (unsigned)(((size_t)p.pairs * p.rows + shape_of<L>::LINES - 1) / shape_of<L>::LINES);
}

template <class L>
__device__ static void rows_item(const job &p, unsigned item, float2 *shared)
{
    constexpr unsigned N = L::N, T = L::THREADS;
    const unsigned j = threadIdx.x % T, y = threadIdx.x / T;
    const size_t line = (size_t)item * shape_of<L>::LINES + y;
    const bool any = line < (size_t)p.pairs * p.rows;
    const unsigned pair = (unsigned)(line / p.rows), row = (unsigned)(line % p.rows);
    float2 v[L::E];

    shared += y * L::place(N);
#pragma unroll
    for (unsigned k = 0; k < L::E; k++)
        v[k] = any ? make_float2(p.a[line * N + j + k * T], p.b[line * N + j + k * T]) : make_float2(0, 0);
    passes<L>(v, j, p.of_cols, shared, 1);
    __syncthreads(); /* all have read the numbers of the last pass */
#pragma unroll
    for (unsigned k = 0; k < L::E; k++)
        shared[L::place(j + k * T)] = v[k];
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k <= L::E / 2; k++) {
        const unsigned f = j + k * T;

        if (any && f < p.half) {
            const float2 here = shared[L::place(f)], there = shared[L::place((N - f) % N)];
            const size_t at = spectrum_at(p, pair, row, f);

            p.A[at] = make_float2(0.5f * (here.x + there.x), 0.5f * (here.y - there.y));
            p.B[at] = make_float2(0.5f * (here.y + there.y), 0.5f * (there.x - here.x));
        }
    }
    if (any && j == 0 && row == 0) { /* for the third kernel */
        p.best[pair] = 0;
        p.done[pair] = 0;
    }
}

/* --- columns --------------------------------------------------------------------------------------- */

template <class L>
__host__ __device__ static unsigned columns_items(const job &p)
{
    return p.pairs * ((p.half + shape_of<L>::LINES - 1) / shape_of<L>::LINES);
}

template <class L>
__device__ static void columns_item(const job &p, unsigned item, float2 *shared)
{
    constexpr unsigned T = L::THREADS, LINES = shape_of<L>::LINES;
    const unsigned blocks = (p.half + LINES - 1) / LINES, pair = item / blocks;
    const unsigned column = item % blocks * LINES + threadIdx.x % LINES, j = threadIdx.x / LINES;
    const bool any = column < p.half;
    const size_t first = spectrum_at(p, pair, 0, column), step = p.wide;
    float2 a[L::E], b[L::E];

    shared += threadIdx.x % LINES;
#pragma unroll
    for (unsigned k = 0; k < L::E; k++)
        a[k] = any ? p.A[first + (j + k * T) * step] : make_float2(0, 0);
    passes<L>(a, j, p.of_rows, shared, LINES);
#pragma unroll
    for (unsigned k = 0; k < L::E; k++)
        b[k] = any ? p.B[first + (j + k * T) * step] : make_float2(0, 0);
    __syncthreads(); /* between passes that use the same shared memory */
    passes<L>(b, j, p.of_rows, shared, LINES);
#pragma unroll
    for (unsigned k = 0; k < L::E; k++)
        a[k] = cross_power(a[k], b[k], p.eps[pair]);
    __syncthreads();
    passes<L>(a, j, p.of_rows, shared, LINES);
#pragma unroll
    for (unsigned k = 0; k < L::E; k++)
        if (any)
            p.A[first + (j + k * T) * step] = a[k];
}

/* --- back ------------------------------------------------------------------------------------------ */

/* Transforms rows r and s of K: |re| of the result is N g of row r, |im| that of row s. */
template <class L>
__device__ static void row_pair(const job &p, unsigned pair, unsigned r, unsigned s, unsigned j, float2 *shared, float2 v[])
{
#pragma unroll
    for (unsigned k = 0; k < L::E; k++) {
        const unsigned f = j + k * L::THREADS, column = f < p.half ? f : L::N - f;
        const float2 one = p.A[spectrum_at(p, pair, r, column)], two = p.A[spectrum_at(p, pair, s, column)];

        v[k] = f < p.half ? make_float2(one.x + two.y, one.y - two.x) : make_float2(one.x - two.y, -one.y - two.x);
    }
    passes<L>(v, j, p.of_cols, shared, 1);
}

template <class L>
__host__ __device__ static unsigned back_blocks(const job &p) /* of one pair */
{
    return ((p.rows + 1) / 2 + shape_of<L>::LINES - 1) / shape_of<L>::LINES;
}

template <class L>
__host__ __device__ static unsigned back_items(const job &p)
{
    return p.pairs * back_blocks<L>(p);
}

template <class L>
__device__ static void back_item(const job &p, unsigned item, float2 *shared)
{
    constexpr unsigned T = L::THREADS, LINES = shape_of<L>::LINES;
    const unsigned pair = item / back_blocks<L>(p), j = threadIdx.x % T, y = threadIdx.x / T;
    const unsigned line = item % back_blocks<L>(p) * LINES + y, r = 2 * line < p.rows ? 2 * line : 0; /* beyond: any row */
    const unsigned s = r + 1 < p.rows ? r + 1 : r;
    const float scale = 1.0f / ((float)p.rows * (float)p.cols); /* a power of two */
    __shared__ peak_word highest;
    peak_word mine = 0;
    float2 v[L::E];

    if (threadIdx.x == 0)
        highest = 0;
    row_pair<L>(p, pair, r, s, j, shared + y * L::place(L::N), v);
#pragma unroll
    for (unsigned k = 0; k < L::E; k++) {
        const unsigned c = j + k * T;
        const peak_word one = word_of(fabsf(v[k].x) * scale, (size_t)r * L::N + c);
        const peak_word two = word_of(fabsf(v[k].y) * scale, (size_t)s * L::N + c);

        mine = one > mine ? one : mine;
        mine = two > mine ? two : mine;
    }
    mine = warp_highest(mine);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        atomicMax(&highest, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicMax(&p.best[pair], highest);
}

/* The answer of a pair, when all of its items are done; by a whole block. */
template <class L>
__device__ static void answer_item(const job &p, unsigned pair, float2 *shared)
{
    constexpr unsigned T = L::THREADS, ABOVE = 0, BELOW = 1, HERE = 2, LEFT = 3, RIGHT = 4;
    const unsigned j = threadIdx.x % T, y = threadIdx.x / T;
    const volatile peak_word *best = p.best; /* other blocks have raised it */
    const peak_word word = best[pair];
    const unsigned peak = place_of(word), r = peak / L::N, c = peak % L::N;
    __shared__ float g[5];
    float2 v[L::E];

    __syncthreads();
    shared += y * L::place(L::N); /* all lines do the same, and the first one writes */
    row_pair<L>(p, pair, (r + p.rows - 1) % p.rows, (r + 1) % p.rows, j, shared, v);
#pragma unroll
    for (unsigned k = 0; k < L::E; k++)
        if (y == 0 && j + k * T == c) {
            g[ABOVE] = fabsf(v[k].x);
            g[BELOW] = fabsf(v[k].y);
        }
    __syncthreads();
    row_pair<L>(p, pair, r, r, j, shared, v);
#pragma unroll
    for (unsigned k = 0; k < L::E; k++) {
        const unsigned f = j + k * T;

        if (y == 0 && f == c)
            g[HERE] = fabsf(v[k].x);
        if (y == 0 && f == (c + L::N - 1) % L::N)
            g[LEFT] = fabsf(v[k].x);
        if (y == 0 && f == (c + 1) % L::N)
            g[RIGHT] = fabsf(v[k].x);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        p.to.peak[pair] = peak;
        p.to.height[pair] = g_of(word);
        p.to.shift[2 * pair] = shift_of(r, p.rows, g[ABOVE], g[HERE], g[BELOW]);
        p.to.shift[2 * pair + 1] = shift_of(c, L::N, g[LEFT], g[HERE], g[RIGHT]);
    }
}

#endif
