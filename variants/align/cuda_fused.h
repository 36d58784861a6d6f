/*
 * Phase correlation in three kernels, with nothing in memory between them but half of a spectrum:
 *
 *     rows       rows of a + ib in registers, taken apart into A and B by symmetry         8 bytes a pixel in, 8 out
 *     columns    a column of A and of B forward, conj R, and forward again: K              8 in, 4 out
 *     back       two rows of K are a complex row of g.  No g is stored, only where it is   4 in
 *                highest.  The last block of a pair transforms three rows once more, for the parabola
 *
 * (../variants/align/real.h, which cpu_real uses, derives the three steps.)  Spectra lie in memory as columns: A and B side by
 * side, then K in their place.  So `columns` reads and writes whole lines.  In the other two kernels neighbouring lanes hold
 * neighbouring rows: each reads or writes 16 bytes of a column, and two make a sector.
 *
 * Of N numbers each of N/E threads holds E, as ../fft/passes.h has it: v[k] of thread j is number j + k*N/E.
 */
#ifndef RUNGS_ALIGN_CUDA_FUSED_H
#define RUNGS_ALIGN_CUDA_FUSED_H

#include "../fft/passes.h" /* radices, passes, root */
#include "cuda_buffers.h"  /* d_a, d_b, d_eps, d_answers, d_best; peak_word, answers */

/* Some pairs, and what a kernel needs to know of them. */
struct job {
    unsigned pairs, rows, cols, half; /* half: columns of a spectrum, cols/2 + 1 */
    unsigned pitch;                   /* from a column of AB to the next */
    const float *a, *b, *eps;
    const float2 *of_rows, *of_cols; /* roots of unity */
    float4 *AB;                      /* [pairs][half][pitch] A and B of a row, then K of two rows */
    peak_word *best;                 /* [pairs] */
    unsigned *done;                  /* [pairs] blocks that have finished */
    answers to;
    bool early; /* kernels may start before the previous one has ended: compute capability 9.0 */
};

/* The threads of a block, and how many lines of N numbers they hold: rows, or in COLUMN_BLOCK threads columns. */
template <class L>
struct shape_of {
    static constexpr unsigned BLOCK = L::THREADS > 64 ? 512 : 256, LINES = BLOCK / L::THREADS;
    static constexpr unsigned COLUMN_BLOCK = 256, COLUMNS = COLUMN_BLOCK / L::THREADS;
    /* from a line to the next in shared memory: neighbouring lanes in two lines use different banks */
    static constexpr unsigned PITCH = (L::place(L::N) + 7) / 16 * 16 + 8;
    static constexpr unsigned SHARED = LINES * PITCH * sizeof(float2), COLUMN_SHARED = COLUMNS * PITCH * sizeof(float2);
};

/* Of a thread in a block of rows: its line, and its number in the line.  Lanes 2i and 2i + 1 are in neighbouring lines. */
template <class L>
__device__ static inline unsigned line_of()
{
    return threadIdx.x / (2 * L::THREADS) * 2 + threadIdx.x % 2;
}

template <class L>
__device__ static inline unsigned number_of()
{
    return threadIdx.x / 2 % L::THREADS;
}

/* --- kernels that start before the previous one has ended, if the launch allows it ------------------- */

/* From here on the next kernel may start.  Near the end of a kernel, so that its blocks spread over the whole device. */
__device__ static inline void next_may_start(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

/* Returns when the previous kernel has ended and its writes are visible. */
__device__ static inline void previous_has_ended(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* --- rows ------------------------------------------------------------------------------------------ */

template <class L>
__host__ __device__ static unsigned rows_blocks(const job &p)
{
    return (unsigned)(((size_t)p.pairs * p.rows + shape_of<L>::LINES - 1) / shape_of<L>::LINES);
}

/* The rows of a block; by all of its threads, as the other two. */
template <class L>
__device__ static inline void rows_of_block(const job &p, unsigned block)
{
    constexpr unsigned N = L::N, T = L::THREADS;
    extern __shared__ float2 all_lines[];
    const unsigned j = number_of<L>(), y = line_of<L>();
    const size_t line = (size_t)block * shape_of<L>::LINES + y;
    const bool any = line < (size_t)p.pairs * p.rows;
    const unsigned pair = (unsigned)(line / p.rows), row = (unsigned)(line % p.rows);
    float2 *const shared = all_lines + y * shape_of<L>::PITCH, v[L::E];

#pragma unroll
    for (unsigned k = 0; k < L::E; k++)
        v[k] = any ? make_float2(p.a[line * N + j + k * T], p.b[line * N + j + k * T]) : make_float2(0, 0);
    passes<L>(v, j, p.of_cols, shared, 1);
    __syncthreads(); /* all have read the numbers of the last pass */
#pragma unroll
    for (unsigned k = 0; k < L::E; k++)
        shared[L::place(j + k * T)] = v[k];
    next_may_start();
    previous_has_ended(); /* before this line it may still be reading K and best */
    __syncthreads();
    if (!any)
        return;
    float4 *const AB = p.AB + (size_t)pair * p.half * p.pitch + row;
#pragma unroll
    for (unsigned k = 0; k <= L::E / 2; k++) {
        const unsigned f = j + k * T;

        if (f < p.half) {
            const float2 here = shared[L::place(f)], there = shared[L::place((N - f) % N)];

            AB[(size_t)f * p.pitch] = make_float4(0.5f * (here.x + there.x), 0.5f * (here.y - there.y),
                                                  0.5f * (here.y + there.y), 0.5f * (there.x - here.x));
        }
    }
    if (j == 0 && row == 0) { /* for the third kernel */
        p.best[pair] = 0;
        p.done[pair] = 0;
    }
}

template <class L>
__global__ static void __launch_bounds__(shape_of<L>::BLOCK, 1024 / shape_of<L>::BLOCK) align_rows(const job p)
{
    rows_of_block<L>(p, blockIdx.x);
}

/* --- columns --------------------------------------------------------------------------------------- */

template <class L>
__host__ __device__ static unsigned columns_blocks(const job &p)
{
    return (unsigned)(((size_t)p.pairs * p.half + shape_of<L>::COLUMNS - 1) / shape_of<L>::COLUMNS);
}

template <class L>
__device__ static inline void columns_of_block(const job &p, unsigned block)
{
    constexpr unsigned T = L::THREADS;
    extern __shared__ float2 all_lines[];
    const unsigned j = threadIdx.x % T, y = threadIdx.x / T;
    const size_t column = (size_t)block * shape_of<L>::COLUMNS + y;
    const bool any = column < (size_t)p.pairs * p.half;
    const unsigned pair = (unsigned)(column / p.half);
    float4 *const AB = p.AB + column * p.pitch;
    float2 *const K = (float2 *)AB, *const shared = all_lines + y * shape_of<L>::PITCH;
    float2 a[L::E], b[L::E];

    previous_has_ended();
#pragma unroll
    for (unsigned k = 0; k < L::E; k++) {
        const float4 both = any ? AB[j + k * T] : make_float4(0, 0, 0, 0);

        a[k] = make_float2(both.x, both.y);
        b[k] = make_float2(both.z, both.w);
    }
    passes<L>(a, j, p.of_rows, shared, 1);
    __syncthreads(); /* between passes that use the same shared memory */
    passes<L>(b, j, p.of_rows, shared, 1);
    const float eps = any ? p.eps[pair] : 1.0f;
#pragma unroll
    for (unsigned k = 0; k < L::E; k++)
        a[k] = cross_power(a[k], b[k], eps);
    __syncthreads();
    passes<L>(a, j, p.of_rows, shared, 1);
    next_may_start();
#pragma unroll
    for (unsigned k = 0; k < L::E; k++)
        if (any)
            K[j + k * T] = a[k];
}

template <class L>
__global__ static void __launch_bounds__(shape_of<L>::COLUMN_BLOCK, 2) align_columns(const job p)
{
    columns_of_block<L>(p, blockIdx.x);
}

/* --- back ------------------------------------------------------------------------------------------ */

/* Transforms two rows of K, whose numbers of a column are `one` and `two` of what at(column) returns: |re| of the result is N g
   of the first row, |im| that of the second. */
template <class L, class function>
__device__ static void row_pair(const job &p, unsigned j, float2 *shared, float2 v[], function at)
{
#pragma unroll
    for (unsigned k = 0; k < L::E; k++) {
        const unsigned f = j + k * L::THREADS;
        const float4 both = at(f < p.half ? f : L::N - f);
        const float2 one = make_float2(both.x, both.y), two = make_float2(both.z, both.w);

        v[k] = f < p.half ? make_float2(one.x + two.y, one.y - two.x) : make_float2(one.x - two.y, -one.y - two.x);
    }
    passes<L>(v, j, p.of_cols, shared, 1);
}

template <class L>
__host__ __device__ static unsigned back_blocks_of_pair(const job &p)
{
    return (p.rows / 2 + shape_of<L>::LINES - 1) / shape_of<L>::LINES;
}

template <class L>
__host__ __device__ static unsigned back_blocks(const job &p)
{
    return p.pairs * back_blocks_of_pair<L>(p);
}

/* The answer of a pair, when all of its blocks are done; by a whole block.  Inlined, it would cost every block registers. */
template <class L>
__device__ __noinline__ static void answer(const job &p, unsigned pair, float2 *shared)
{
    constexpr unsigned T = L::THREADS, ABOVE = 0, BELOW = 1, HERE = 2, LEFT = 3, RIGHT = 4;
    const unsigned j = number_of<L>(), y = line_of<L>();
    const volatile peak_word *best = p.best; /* other blocks have raised it */
    const peak_word word = best[pair];
    const unsigned peak = place_of(word), r = peak / L::N, c = peak % L::N;
    const unsigned above = (r + p.rows - 1) % p.rows, below = (r + 1) % p.rows;
    const unsigned first = y == 0 ? above : r, second = y == 0 ? below : r; /* line 1 takes the peak's row twice */
    const float2 *const K = (const float2 *)(p.AB + (size_t)pair * p.half * p.pitch);
    __shared__ float g[5];
    float2 v[L::E];

    __syncthreads();
    row_pair<L>(p, j, shared, v, [&](unsigned column) {
        const float2 *const k = K + (size_t)column * 2 * p.pitch, one = k[first], two = k[second];

        return make_float4(one.x, one.y, two.x, two.y);
    });
#pragma unroll
    for (unsigned k = 0; k < L::E; k++) {
        const unsigned f = j + k * T;

        if (y == 0 && f == c) {
            g[ABOVE] = fabsf(v[k].x);
            g[BELOW] = fabsf(v[k].y);
        }
        if (y == 1 && f == c)
            g[HERE] = fabsf(v[k].x);
        if (y == 1 && f == (c + L::N - 1) % L::N)
            g[LEFT] = fabsf(v[k].x);
        if (y == 1 && f == (c + 1) % L::N)
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

template <class L>
__device__ static inline void back_of_block(const job &p, unsigned block)
{
    constexpr unsigned T = L::THREADS, LINES = shape_of<L>::LINES;
    extern __shared__ float2 all_lines[];
    const unsigned blocks = back_blocks_of_pair<L>(p), pair = block / blocks;
    const unsigned j = number_of<L>(), y = line_of<L>(), line = block % blocks * LINES + y;
    const unsigned r = 2 * line < p.rows ? 2 * line : 0; /* beyond the last row: any row */
    const float4 *const K = p.AB + (size_t)pair * p.half * p.pitch + r / 2;
    const float scale = 1.0f / ((float)p.rows * (float)p.cols); /* a power of two */
    __shared__ peak_word highest;
    __shared__ bool last;
    peak_word mine = 0;
    float2 *const shared = all_lines + y * shape_of<L>::PITCH, v[L::E];

    if (threadIdx.x == 0)
        highest = 0;
    previous_has_ended();
    row_pair<L>(p, j, shared, v, [&](unsigned column) { return K[(size_t)column * p.pitch]; }); /* rows r and r + 1 */
#pragma unroll
    for (unsigned k = 0; k < L::E; k++) {
        const unsigned c = j + k * T;
        const peak_word one = word_of(fabsf(v[k].x) * scale, (size_t)r * L::N + c);
        const peak_word two = word_of(fabsf(v[k].y) * scale, ((size_t)r + 1) * L::N + c);

        mine = one > mine ? one : mine;
        mine = two > mine ? two : mine;
    }
    mine = warp_highest(mine);
    next_may_start();
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        atomicMax(&highest, mine);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicMax(&p.best[pair], highest);
        __threadfence(); /* the word is raised before the ticket is taken */
        last = atomicInc(&p.done[pair], blocks - 1) == blocks - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    answer<L>(p, pair, shared);
}

template <class L>
__global__ static void __launch_bounds__(shape_of<L>::BLOCK, 1024 / shape_of<L>::BLOCK) align_back(const job p)
{
    back_of_block<L>(p, blockIdx.x);
}

#endif
