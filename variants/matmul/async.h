/*
 * What cuda_async and cuda_stream_k share: a tile's sums over some of its slices (multiply_tile), their way to C
 * (put), and copies of B with rows that begin at multiples of 16 bytes (product_of).  cuda_async explains the idea.
 *
 *     global memory     A, B: the next slices      |  asynchronous copies, by all threads
 *          |                                       v
 *     shared memory     ring of 4 slices: one in use, up to 3 being filled
 *          |                                          load: 16 + 8 factors for one l
 *     registers         factors of this l and of the next; 16 x 8 sums of C
 *          |                                          put, after the last slice
 *     global memory     C
 */
#ifndef RUNGS_MATMUL_ASYNC_H
#define RUNGS_MATMUL_ASYNC_H

#include <cuda_pipeline.h>

#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_b, d_c */

/*
 *     tile of C, 128 x 128         Of a warp's 64 x 64, the lane at (y, x) of 4 x 8 lanes has rows
 *     +---------+---------+        4y to 4y + 3, 16 + 4y to 16 + 4y + 3, and so on, and columns 4x
 *     | warp 0  | warp 1  |        to 4x + 3 and 32 + 4x to 32 + 4x + 3.  So neighbouring lanes
 *     +---------+---------+        read neighbouring fours of a slice.  Lanes are numbered down y by
 *     | warp 2  | warp 3  |        twos: so eight consecutive lanes read two fours of A and four of B,
 *     +---------+---------+        not one and eight.
 */
enum {
    TILE = 128,
    SLICE = 8,   /* of k */
    STAGES = 4,  /* slices in the ring: in use and being copied */
    THREADS = 128,
    PER_PROCESSOR = 2, /* blocks that fit on a multiprocessor */
    ROWS = 16,   /* of C, per thread */
    COLUMNS = 8,
    COPIES = TILE * SLICE / THREADS, /* of elements of A, per thread and slice */
    PAD = 4,
    BAND = 8     /* rows of tiles that are done column by column: they share B in the cache */
};

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

__host__ __device__ static inline unsigned tiles_of(size_t m, size_t n)
{
    return (unsigned)((m + TILE - 1) / TILE * ((n + TILE - 1) / TILE));
}

__host__ __device__ static inline unsigned slices_of(size_t k)
{
    return (unsigned)((k + SLICE - 1) / SLICE);
}

/* Returns the row and column where a tile begins. */
__device__ static struct place place_of(const struct product &p, unsigned tile)
{
    const unsigned down = (p.m + TILE - 1) / TILE, across = (p.n + TILE - 1) / TILE;
    const unsigned band = tile / (BAND * across), high = min(BAND, down - band * BAND);

    return {(size_t)(band * BAND + tile % (BAND * across) % high) * TILE,
            (size_t)(tile % (BAND * across) / high) * TILE};
}

/* --- slices ----------------------------------------------------------------------------------- */

/* A slice of A, transposed, so that a column of A is read like a row of B.  PAD puts the eight columns that a warp
   writes at once into different banks. */
struct slices {
    __align__(16) float a[SLICE][TILE + PAD], b[SLICE][TILE];
};

template <unsigned BYTES> __device__ static void copy(float *to, const float *from, bool there)
{
    __pipeline_memcpy_async(to, from, BYTES, there ? 0 : BYTES); /* else zeros */
}

/* Starts this thread's copies of one slice.  Beyond `depth` rows of B, and columns of A, it writes zeros. */
__device__ static void copy_slices(struct slices *to, const float *const a[COPIES], const float *b,
                                   size_t b_row, unsigned depth)
{
    const unsigned t = threadIdx.x, across = TILE / 4;

#pragma unroll
    for (unsigned r = 0; r < COPIES; r++)
        copy<4>(&to->a[t % SLICE][t / SLICE + r * (TILE / COPIES)], a[r],
                depth == SLICE || t % SLICE < depth);
#pragma unroll
    for (unsigned l = 0; l < SLICE; l += THREADS / across)
        copy<16>(&to->b[0][0] + t * 4 + l * TILE, b + l * b_row,
                 depth == SLICE || t / across + l < depth);
}

/* --- sums ------------------------------------------------------------------------------------- */

/* What a thread's elements of C need for one l: a column of A, a row of B. */
struct factors {
    float4 a[ROWS / 4], b[COLUMNS / 4];
};

/* nvcc orders the whole loop by what is loaded first.  Each variant has the order that is faster for it. */
enum order { A_FIRST, B_FIRST };

__device__ static void load_a(struct factors *to, const struct slices *from, unsigned y, unsigned l)
{
#pragma unroll
    for (unsigned r = 0; r < ROWS / 4; r++)
        to->a[r] = *(const float4 *)&from->a[l][y + 16 * r];
}

__device__ static void load_b(struct factors *to, const struct slices *from, unsigned x, unsigned l)
{
#pragma unroll
    for (unsigned q = 0; q < COLUMNS / 4; q++)
        to->b[q] = *(const float4 *)&from->b[l][x + 32 * q];
}

template <enum order ORDER>
__device__ static void load(struct factors *to, const struct slices *from, unsigned y, unsigned x,
                            unsigned l)
{
    if (ORDER == A_FIRST)
        load_a(to, from, y, l);
    load_b(to, from, x, l);
    if (ORDER == B_FIRST)
        load_a(to, from, y, l);
}

/* Back and forth along the rows, so that each multiply-add shares a factor with the one before.  The hardware keeps
   that operand, so it need not be read from the registers again. */
__device__ static void multiply(float sum[ROWS][COLUMNS], const struct factors *factors)
{
    const float *a = (const float *)factors->a, *b = (const float *)factors->b;

#pragma unroll
    for (unsigned r = 0; r < ROWS; r++)
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

/* --- a tile ----------------------------------------------------------------------------------- */

/*
 * Sums up `count` of a tile's slices, from `first` on, and calls give(row, at, length, four) for each four of this
 * thread's sums.  It is one long function because nvcc's code for several has more register conflicts.
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
template <enum order ORDER, class function>
__device__ static __forceinline__ void multiply_tile(const struct product &p, struct place at,
                                                     unsigned first, unsigned count, float zero,
                                                     function give)
{
    __shared__ struct slices ring[STAGES];
    const size_t b_row = (size_t)4 * p.b_quads;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned y = warp / 2 * 64 + (lane / 16 * 2 + lane % 2) * 4;
    const unsigned x = warp % 2 * 64 + lane / 2 % 8 * 4;
    float sum[ROWS][COLUMNS] = {};

    /* Where this thread copies from.  Sums outside C are never stored, so any row and column inside A and B will do
       for them. */
    const unsigned t = threadIdx.x;
    const unsigned rest = p.k - (size_t)(slices_of(p.k) - 1) * SLICE; /* of a partial slice, which comes first */
    const size_t l0 = first == 0 ? 0 : rest + (size_t)(first - 1) * SLICE;
    const size_t b_at = min(at.j + t % (TILE / 4) * 4, b_row - 4);
    const float *a_from[COPIES], *b_from = p.b + (l0 + t / (TILE / 4)) * b_row + b_at;

#pragma unroll
    for (unsigned r = 0; r < COPIES; r++)
        a_from[r] = p.a + min(at.i + t / SLICE + r * (TILE / COPIES), p.m - 1) * p.k + l0 +
                    t % SLICE;

    /* A partial slice comes first, so that all slices in the loop are whole. */
    unsigned depth = first == 0 ? rest : SLICE;
    for (unsigned s = 0; s < STAGES - 1; s++) {
        depth = s < count ? depth : 0;
        copy_slices(&ring[s], a_from, b_from, b_row, depth);
        __pipeline_commit();
        for (unsigned r = 0; r < COPIES; r++)
            a_from[r] += depth;
        b_from += depth * b_row;
        depth = SLICE;
    }

#pragma unroll
    for (unsigned r = 0; r < ROWS; r++)
#pragma unroll
        for (unsigned q = 0; q < COLUMNS; q++)
            sum[r][q] = 0;
    struct factors factors[2]; /* of this l and of the next */
    unsigned now = 0, next = STAGES - 1;

    __pipeline_wait_prior(STAGES - 2); /* this thread's copies of the first slice have arrived, */
    __syncthreads();                   /* and so have all threads' */
    load<ORDER>(&factors[0], &ring[0], y, x, 0);
    for (unsigned slice = 0; slice < count; slice++) {
        if (slice + STAGES - 1 < count) {
            copy_slices(&ring[next], a_from, b_from, b_row, SLICE);
#pragma unroll
            for (unsigned r = 0; r < COPIES; r++)
                a_from[r] += SLICE;
            b_from += SLICE * b_row;
        }
        __pipeline_commit();
#pragma unroll
        for (unsigned l = 0; l < SLICE; l++) {
            if (l + 1 == SLICE) { /* the next factors are in the next slice; after the last, any will do */
                next = now;
                now = slice + 1 == count ? now : (now + 1) % STAGES;
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads();
            }
            load<ORDER>(&factors[(l + 1) % 2], &ring[now], y, x, (l + 1) % SLICE);
            multiply(sum, &factors[l % 2]);
        }
    }
    __pipeline_wait_prior(0);
#pragma unroll
    for (unsigned r = 0; r < ROWS; r++) {
        const size_t i = at.i + y + r / 4 * 16 + r % 4, length = i < p.m ? p.n : 0;

#pragma unroll
        for (unsigned q = 0; q < COLUMNS; q += 4) {
            const float *s = sum[r] + q;

            give(p.c + i * p.n, at.j + x + 8 * q, length,
                 make_float4(s[0] + zero, s[1] + zero, s[2] + zero, s[3] + zero));
        }
    }
}

/* --- on the host ------------------------------------------------------------------------------ */

/* Copies B into rows that begin at multiples of 16 bytes; a block per row. */
__global__ static void matmul_widen(size_t n, size_t row, const float *from, float *to)
{
    for (size_t j = threadIdx.x; j < row; j += blockDim.x)
        to[blockIdx.x * row + j] = j < n ? from[blockIdx.x * n + j] : 0;
}

static float *d_wide; /* [k][4 * b_quads]: that copy of B; NULL where B needs none */

static void prepare_wide(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    prepare(problem);
    d_wide = NULL;
    if (p->n % 4 != 0)
        CUDA(cudaMalloc(&d_wide, p->k * ((p->n + 3) / 4) * sizeof(float4)));
}

/* Returns the problem on the device; copies B to d_wide where n is no multiple of 4. */
static struct product product_of(const struct matmul *p)
{
    const unsigned b_quads = (unsigned)((p->n + 3) / 4);

    if (p->n % 4 != 0 && p->k > 0)
        matmul_widen<<<(unsigned)p->k, 256>>>(p->n, (size_t)4 * b_quads, d_b, d_wide);
    return {p->m, p->n, p->k, d_a, p->n % 4 != 0 ? d_wide : d_b, b_quads, d_c};
}

static void release_wide(void)
{
    CUDA(cudaFree(d_wide));
    d_wide = NULL;
    release();
}

#endif
