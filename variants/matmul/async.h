/*
 * What cuda_async, cuda_stream_k, cuda_any_shape and the variants of several ranks share: a tile's sums over some of its
 * slices (multiply_tile), and their way to C (put).  cuda_async explains the idea, and async_host.h has the host's half.
 *
 *     global memory     A, B: the next slices      |  asynchronous copies, by all threads
 *          |                                       v
 *     shared memory     ring of 4 slices: one in use, up to 3 being filled
 *          |                                          load: 16 (or 8) + 8 factors for one l
 *     registers         factors of this l and of the next; 16 (or 8) x 8 sums of C
 *          |                                          put, after the last slice
 *     global memory     C
 */
#ifndef RUNGS_MATMUL_ASYNC_H
#define RUNGS_MATMUL_ASYNC_H

#include <cuda_pipeline.h>

#include "common/cuda.h"

/*
 *     tile of C, 128 x 128         Of a warp's 64 x 64, the lane at (y, x) of 4 x 8 lanes has rows
 *     +---------+---------+        4y to 4y + 3, 16 + 4y to 16 + 4y + 3, and so on, and columns 4x
 *     | warp 0  | warp 1  |        to 4x + 3 and 32 + 4x to 32 + 4x + 3.  So neighbouring lanes
 *     +---------+---------+        read neighbouring fours of a slice.  Lanes are numbered down y by
 *     | warp 2  | warp 3  |        twos: so eight consecutive lanes read two fours of A and four of B,
 *     +---------+---------+        not one and eight.
 */
enum {
    SLICE = 8,   /* of k */
    STAGES = 4,  /* slices in the ring: in use and being copied */
    COLUMNS = 8, /* of C, per thread */
    PAD = 4,
    BAND = 8     /* rows of tiles that are done column by column: they share B in the cache */
};

/* A tile: ROWS of C per thread, lanes that are LANES across, and warps that are DOWN x ACROSS.  A block may have several
   groups of such threads: each takes every GROUPS-th slice, and their sums are added at the end. */
template <unsigned ROWS, unsigned DOWN, unsigned ACROSS, unsigned LANES, unsigned PER_PROCESSOR, unsigned GROUPS = 1>
struct tile_of {
    static const unsigned rows = ROWS, lanes = LANES, across = ACROSS;
    static const unsigned step = 128 / LANES; /* rows between two fours of a thread's rows */
    static const unsigned high = DOWN * 32 / LANES * ROWS, wide = ACROSS * LANES * COLUMNS;
    static const unsigned threads = DOWN * ACROSS * 32, groups = GROUPS, block = GROUPS * threads;
    static const unsigned per_processor = PER_PROCESSOR; /* blocks that fit on a multiprocessor */
};

typedef tile_of<16, 2, 2, 8, 2> square; /* the drawing */

/* The problem, on the device.  Rows of B are 4 * b_quads elements apart. */
struct product {
    size_t m, n, k;
    const float *a, *b;
    unsigned b_quads;
    float *c;
};

struct place {
    size_t i, j;
};

template <class tile> __host__ __device__ static inline unsigned tiles_in(size_t m, size_t n)
{
    return (unsigned)((m + tile::high - 1) / tile::high * ((n + tile::wide - 1) / tile::wide));
}

__host__ __device__ static inline unsigned slices_of(size_t k)
{
    return (unsigned)((k + SLICE - 1) / SLICE);
}

/* Returns the row and column where a tile begins. */
template <class tile> __device__ static struct place place_of(const struct product &p, unsigned number)
{
    const unsigned down = (p.m + tile::high - 1) / tile::high;
    const unsigned across = (p.n + tile::wide - 1) / tile::wide;
    const unsigned band = number / (BAND * across), high = min(BAND, down - band * BAND);

    return {(size_t)(band * BAND + number % (BAND * across) % high) * tile::high,
            (size_t)(number % (BAND * across) / high) * tile::wide};
}

/* Returns where in the tile a thread's first element is. */
template <class tile> __device__ static unsigned row_in_tile(unsigned thread)
{
    const unsigned warp = thread / 32, lane = thread % 32;

    return warp / tile::across * (tile::rows * 32 / tile::lanes) +
           (lane / (2 * tile::lanes) * 2 + lane % 2) * 4;
}

template <class tile> __device__ static unsigned column_in_tile(unsigned thread)
{
    const unsigned warp = thread / 32, lane = thread % 32;

    return warp % tile::across * (tile::lanes * COLUMNS) + lane / 2 % tile::lanes * 4;
}

/* --- slices ----------------------------------------------------------------------------------- */

/* A slice of A, transposed, so that a column of A is read like a row of B.  PAD puts the eight columns that a warp
   writes at once into different banks. */
template <class tile> struct slices_for {
    __align__(16) float a[SLICE][tile::high + PAD], b[SLICE][tile::wide];
};

/* A thread's share of the copies of a slice.  A comes in single elements, B in units of BYTES. */
template <class tile, unsigned BYTES> struct copies_of {
    static const unsigned a = tile::high * SLICE / tile::threads;
    static const unsigned size = BYTES / sizeof(float), across = tile::wide / size; /* units in a row */
    static const unsigned b = across * SLICE / tile::threads;
    static const unsigned columns = across > tile::threads ? across / tile::threads : 1;
};

template <unsigned BYTES> __device__ static void copy(float *to, const float *from, bool there)
{
    __pipeline_memcpy_async(to, from, BYTES, there ? 0 : BYTES); /* else zeros */
}

/* Starts this thread's copies of one slice.  Beyond `depth` rows of B, and columns of A, it writes zeros. */
template <class tile, unsigned BYTES>
__device__ static void copy_slices(struct slices_for<tile> *to, const float *const a[],
                                   const float *const b[], size_t b_row, unsigned depth, unsigned t)
{
    typedef copies_of<tile, BYTES> copies;

#pragma unroll
    for (unsigned r = 0; r < copies::a; r++)
        copy<4>(&to->a[t % SLICE][t / SLICE + r * (tile::high / copies::a)], a[r],
                depth == SLICE || t % SLICE < depth);
#pragma unroll
    for (unsigned r = 0; r < copies::b; r++) {
        const unsigned l = r * tile::threads / copies::across;

        copy<BYTES>(&to->b[0][0] + (t + r * tile::threads) * copies::size,
                    b[r % copies::columns] + l * b_row,
                    depth == SLICE || t / copies::across + l < depth);
    }
}

/* --- sums ------------------------------------------------------------------------------------- */

/* What a thread's elements of C need for one l: a column of A, a row of B. */
template <class tile> struct factors_of {
    float4 a[tile::rows / 4], b[COLUMNS / 4];
};

/* nvcc orders the whole loop by what comes first: A's factors, or B's; or B's factors, but A's addresses (B_LATER).  Each
   variant has the order that is fastest for it.  cuda_stream_k takes 2.69 ms at 4096 with B_FIRST, 2.95 with B_LATER, on
   an H200. */
enum order { A_FIRST, B_FIRST, B_LATER };

template <class tile>
__device__ static void load_a(struct factors_of<tile> *to, const struct slices_for<tile> *from,
                              unsigned y, unsigned l)
{
#pragma unroll
    for (unsigned r = 0; r < tile::rows / 4; r++)
        to->a[r] = *(const float4 *)&from->a[l][y + tile::step * r];
}

template <class tile>
__device__ static void load_b(struct factors_of<tile> *to, const struct slices_for<tile> *from,
                              unsigned x, unsigned l)
{
#pragma unroll
    for (unsigned q = 0; q < COLUMNS / 4; q++)
        to->b[q] = *(const float4 *)&from->b[l][x + 4 * tile::lanes * q];
}

template <enum order ORDER, class tile>
__device__ static void load(struct factors_of<tile> *to, const struct slices_for<tile> *from,
                            unsigned y, unsigned x, unsigned l)
{
    if (ORDER == A_FIRST)
        load_a(to, from, y, l);
    load_b(to, from, x, l);
    if (ORDER != A_FIRST)
        load_a(to, from, y, l);
}

/* Back and forth along the rows, so that each multiply-add shares a factor with the one before.  The hardware keeps
   that operand, so it need not be read from the registers again. */
template <class tile>
__device__ static void multiply(float sum[][COLUMNS], const struct factors_of<tile> *factors)
{
    const float *a = (const float *)factors->a, *b = (const float *)factors->b;

#pragma unroll
    for (unsigned r = 0; r < tile::rows; r++)
#pragma unroll
        for (unsigned i = 0; i < COLUMNS; i++) {
            const unsigned q = r % 2 == 0 ? i : COLUMNS - 1 - i;

            sum[r][q] += a[r] * b[q];
        }
}

/* --- C ---------------------------------------------------------------------------------------- */

/* VECTORS: a row's length is a multiple of 4. */
template <bool VECTORS> __device__ static void put(float *row, size_t at, size_t length, float4 v)
{
    if (VECTORS) {
        if (at < length)
            __stcs((float4 *)(row + at), v); /* nvcc splits some assignments of a float4 */
        return;
    }
    if (at < length)
        row[at] = v.x;
    if (at + 1 < length)
        row[at + 1] = v.y;
    if (at + 2 < length)
        row[at + 2] = v.z;
    if (at + 3 < length)
        row[at + 3] = v.w;
}

/* --- groups ----------------------------------------------------------------------------------- */

/* Adds the sums of all groups to those of the first one, in order.  They go through the rings. */
template <class tile>
__device__ static void add_groups(float sum[][COLUMNS], struct slices_for<tile> rings[][STAGES])
{
    const unsigned group = threadIdx.x / tile::threads, t = threadIdx.x % tile::threads;

    static_assert(STAGES * sizeof(slices_for<tile>) >= tile::high * tile::wide * sizeof(float), "a tile fits into a ring");
    __syncthreads(); /* all threads have read the rings */
#pragma unroll
    for (unsigned r = 0; r < tile::rows; r++)
#pragma unroll
        for (unsigned q = 0; q < COLUMNS; q++)
            if (group > 0)
                ((float *)rings[group])[(r * COLUMNS + q) * tile::threads + t] = sum[r][q];
    __syncthreads();
    for (unsigned g = 1; g < tile::groups && group == 0; g++)
#pragma unroll
        for (unsigned r = 0; r < tile::rows; r++)
#pragma unroll
            for (unsigned q = 0; q < COLUMNS; q++)
                sum[r][q] += ((const float *)rings[g])[(r * COLUMNS + q) * tile::threads + t];
}

/* --- a tile ----------------------------------------------------------------------------------- */

/*
 * Sums up `count` of a tile's slices, from `first` on, and calls give(number, row, at, length, four) for each four of
 * this thread's sums.  BYTES: B is copied in units of that size, 16 or 4; for 16 its rows are p.b_quads fours long.
 * It is one long function because nvcc's code for several has more register conflicts.
 *
 * +--- Why "+ zero" -----------------------------------------------------------------------------------------+
 * | `zero` is -0.0f, and x + -0.0f is x for every x.  So the addition at the end changes no sum.  But it is  |
 * | an argument of the kernel: the compiler does not know its value, and must keep the addition.             |
 * |                                                                                                          |
 * | Without it, one store of 16 bytes writes four sums.  Such a store takes its operands from four registers |
 * | in a row, the first a multiple of four, and so nvcc keeps these sums there during the whole loop.  B's   |
 * | four factors lie in such a row too, because one load of 16 bytes brings them:                            |
 * |                                                                                                          |
 * |         sum[r][0..3]   R8   R9   R10  R11           bank of a register: its number, odd or even          |
 * |         b[0..3]        R64  R65  R66  R67           sum[r][q] and b[q] are always in the same bank       |
 * |                                                                                                          |
 * | sum[r][q] += a[r] * b[q] reads a[r], kept from the multiply-add before, and b[q] and sum[q].  Both come  |
 * | from one bank, which takes two cycles instead of one.                                                    |
 * |                                                                                                          |
 * | With the addition, its result is what must lie in a row; the sums themselves may be in any register.     |
 * | Counted in the machine code of cuda_async (nvcc 13.0, sm_90), as docs/limits/matmul.md counts: the 1024  |
 * | multiply-adds of the loop take 1122 cycles with the addition and 1918 without.                           |
 * +----------------------------------------------------------------------------------------------------------+
 */
template <class tile, enum order ORDER, unsigned BYTES, class function>
__device__ static __forceinline__ void multiply_tile(const struct product &p, struct place at,
                                                     unsigned first, unsigned count, float zero,
                                                     function give)
{
    typedef copies_of<tile, BYTES> copies;
    __shared__ struct slices_for<tile> rings[tile::groups][STAGES];
    const size_t b_row = BYTES == sizeof(float4) ? (size_t)4 * p.b_quads : p.n;
    const unsigned group = tile::groups == 1 ? 0 : threadIdx.x / tile::threads;
    const unsigned t = tile::groups == 1 ? threadIdx.x : threadIdx.x % tile::threads;
    const unsigned y = row_in_tile<tile>(t), x = column_in_tile<tile>(t);
    struct slices_for<tile> *const ring = rings[group];
    float sum[tile::rows][COLUMNS] = {};

    /* Where this thread copies from.  Sums outside C are never stored, so any row and column inside A and B will do
       for them. */
    const unsigned rest = p.k - (size_t)(slices_of(p.k) - 1) * SLICE; /* of a partial slice, which comes first */
    const unsigned mine = first + group; /* the first slice of this group */
    const size_t l0 = mine == 0 ? 0 : rest + (size_t)(mine - 1) * SLICE;
    const float *a_from[copies::a], *b_from[copies::columns];

    const auto place_b = [&] {
#pragma unroll
        for (unsigned r = 0; r < copies::columns; r++) {
            const unsigned column = (t % copies::across + r * tile::threads) * copies::size;
            const size_t b_at = min(at.j + column, b_row - copies::size);

            b_from[r] = p.b + (l0 + t / copies::across) * b_row + b_at;
        }
    };

    if (ORDER != B_LATER)
        place_b();
#pragma unroll
    for (unsigned r = 0; r < copies::a; r++)
        a_from[r] = p.a + min(at.i + t / SLICE + r * (tile::high / copies::a), p.m - 1) * p.k + l0 +
                    t % SLICE;
    if (ORDER == B_LATER)
        place_b();

    /* A partial slice comes first, so that all slices in the loop are whole.  A group that has one slice less than others
       begins with an empty one. */
    const unsigned turns = (count + tile::groups - 1) / tile::groups;
    const bool less = tile::groups > 1 && (turns - 1) * tile::groups + group >= count;
    unsigned depth = less ? 0 : mine == 0 ? rest : SLICE;
    for (unsigned s = 0; s < STAGES - 1; s++) {
        depth = s < turns ? depth : 0;
        copy_slices<tile, BYTES>(&ring[s], a_from, b_from, b_row, depth, t);
        __pipeline_commit();

        const unsigned ahead = depth == 0 ? 0 : depth + (tile::groups - 1) * SLICE;
        for (unsigned r = 0; r < copies::a; r++)
            a_from[r] += ahead;
        for (unsigned r = 0; r < copies::columns; r++)
            b_from[r] += ahead * b_row;
        depth = SLICE;
    }

#pragma unroll
    for (unsigned r = 0; r < tile::rows; r++)
#pragma unroll
        for (unsigned q = 0; q < COLUMNS; q++)
            sum[r][q] = 0;
    struct factors_of<tile> factors[2]; /* of this l and of the next */
    unsigned now = 0, next = STAGES - 1;

    __pipeline_wait_prior(STAGES - 2); /* this thread's copies of the first slice have arrived, */
    __syncthreads();                   /* and so have all threads' */
    load<ORDER>(&factors[0], &ring[0], y, x, 0);
    for (unsigned slice = 0; slice < turns; slice++) {
        if (slice + STAGES - 1 < turns) {
            copy_slices<tile, BYTES>(&ring[next], a_from, b_from, b_row, SLICE, t);
#pragma unroll
            for (unsigned r = 0; r < copies::a; r++)
                a_from[r] += tile::groups * SLICE;
#pragma unroll
            for (unsigned r = 0; r < copies::columns; r++)
                b_from[r] += tile::groups * SLICE * b_row;
        }
        __pipeline_commit();
#pragma unroll
        for (unsigned l = 0; l < SLICE; l++) {
            if (l + 1 == SLICE) { /* the next factors are in the next slice; after the last, any will do */
                next = now;
                now = slice + 1 == turns ? now : (now + 1) % STAGES;
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads();
            }
            load<ORDER>(&factors[(l + 1) % 2], &ring[now], y, x, (l + 1) % SLICE);
            multiply(sum, &factors[l % 2]);
        }
    }
    __pipeline_wait_prior(0);
    if constexpr (tile::groups > 1)
        add_groups<tile>(sum, rings);
    if (group > 0)
        return;
#pragma unroll
    for (unsigned r = 0; r < tile::rows; r++) {
        const size_t i = at.i + y + r / 4 * tile::step + r % 4, length = i < p.m ? p.n : 0;

#pragma unroll
        for (unsigned q = 0; q < COLUMNS; q += 4) {
            const float *s = sum[r] + q;

            give((r * COLUMNS + q) / 4, p.c + i * p.n, at.j + x + tile::lanes * q, length,
                 make_float4(s[0] + zero, s[1] + zero, s[2] + zero, s[3] + zero));
        }
    }
}

#endif
