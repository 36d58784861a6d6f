/*
 * What cuda_async and cuda_stream_k have in common: the sums of some slices of a tile, their way to
 * C, and B in rows that can be copied by fours.  It is explained in cuda_async.
 */
#ifndef RUNGS_MATMUL_ASYNC_H
#define RUNGS_MATMUL_ASYNC_H

#include <cuda_pipeline.h>

#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_b, d_c */

/*
 *     tile of C, 128 x 128         Of a warp's 64 x 64, the lane at (y, x) of 4 x 8 lanes has rows
 *     +---------+---------+        4y to 4y + 3, 16 + 4y to 16 + 4y + 3, and so on, and columns 4x
 *     | warp 0  | warp 1  |        to 4x + 3 and 32 + 4x to 32 + 4x + 3.  So neighbouring lanes
 *     +---------+---------+        read neighbouring fours of a slice.  Lanes are counted down y by
 *     | warp 2  | warp 3  |        twos: each eight of them need two fours of A and four of B, not
 *     +---------+---------+        one and eight.
 */
enum {
    TILE = 128,
    SLICE = 8,   /* of k */
    STAGES = 4,  /* slices in use and under way */
    THREADS = 128,
    PER_PROCESSOR = 2, /* blocks that a multiprocessor has room for */
    ROWS = 16,   /* of C in a thread */
    COLUMNS = 8,
    COPIES = TILE * SLICE / THREADS, /* of elements of A, by a thread */
    PAD = 4,
    BAND = 8     /* rows of tiles, gone through column by column: they share B in the cache */
};

/* On the device; of B, b_quads fours of elements from row to row. */
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

/* Where a tile begins */
__device__ static struct place place_of(const struct product &p, unsigned tile)
{
    const unsigned down = (p.m + TILE - 1) / TILE, across = (p.n + TILE - 1) / TILE;
    const unsigned band = tile / (BAND * across), high = min(BAND, down - band * BAND);

    return {(size_t)(band * BAND + tile % (BAND * across) % high) * TILE,
            (size_t)(tile % (BAND * across) / high) * TILE};
}

/* --- slices ----------------------------------------------------------------------------------- */

/* A slice of A, lying across, so that a column of it is read like a row of B's; PAD keeps the eight
   columns that are written at once in different banks. */
struct slices {
    __align__(16) float a[SLICE][TILE + PAD], b[SLICE][TILE];
};

template <unsigned BYTES> __device__ static void copy(float *to, const float *from, bool there)
{
    __pipeline_memcpy_async(to, from, BYTES, there ? 0 : BYTES); /* else zeros */
}

/* Starts the copies that are this thread's of one slice, of which `depth` rows of B are there. */
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

/* What a thread's elements of C need for one l. */
struct factors {
    float4 a[ROWS / 4], b[COLUMNS / 4];
};

/* nvcc orders the whole loop by what is loaded first.  Each variant has what is quicker there. */
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

/* To and fro, so that each multiply-add has a factor of the one before: that need not be read. */
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
            __stcs((float4 *)(row + at), v); /* an assignment is taken apart by nvcc, in places */
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

/* Sums up `count` of a tile's slices, from `first` on, and calls give(row, at, length, four) for
   all fours of sums that are this thread's.  In several functions it would be other machine code,
   whose registers collide more often. */
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

    /* Where this thread copies from.  What lies below C or beside it stays in sums that nobody
       stores, so that any row and column of A and B will do for it. */
    const unsigned t = threadIdx.x;
    const unsigned rest = p.k - (size_t)(slices_of(p.k) - 1) * SLICE; /* a slice not whole: first */
    const size_t l0 = first == 0 ? 0 : rest + (size_t)(first - 1) * SLICE;
    const size_t b_at = min(at.j + t % (TILE / 4) * 4, b_row - 4);
    const float *a_from[COPIES], *b_from = p.b + (l0 + t / (TILE / 4)) * b_row + b_at;

#pragma unroll
    for (unsigned r = 0; r < COPIES; r++)
        a_from[r] = p.a + min(at.i + t / SLICE + r * (TILE / COPIES), p.m - 1) * p.k + l0 +
                    t % SLICE;

    /* A slice that is not whole comes first: then those in the loop are. */
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

    __pipeline_wait_prior(STAGES - 2); /* my copies of the first slice have arrived, */
    __syncthreads();                   /* and so have everybody's */
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
            if (l + 1 == SLICE) { /* the next is in the next slice; if there is none, any will do */
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

/* B's rows, so far apart that each begins at a multiple of 16 bytes; a block a row */
__global__ static void matmul_widen(size_t n, size_t row, const float *from, float *to)
{
    for (size_t j = threadIdx.x; j < row; j += blockDim.x)
        to[blockIdx.x * row + j] = j < n ? from[blockIdx.x * n + j] : 0;
}

static float *d_wide; /* [k][4 * b_quads]: B, where its own rows are not such; else NULL */

static void prepare_wide(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    prepare(problem);
    d_wide = NULL;
    if (p->n % 4 != 0)
        CUDA(cudaMalloc(&d_wide, p->k * ((p->n + 3) / 4) * sizeof(float4)));
}

/* Widens B, where that is needed. */
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
