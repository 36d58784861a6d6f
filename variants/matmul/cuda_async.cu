/*
 * matmul / cuda_async
 *
 * Idea     Slices of A and B go from global to shared memory by asynchronous copies, two slices
 *          ahead, past the registers.  That frees so many of them that a thread can hold 8 x 16
 *          elements of C: 24 elements loaded serve 128 multiply-adds.
 * Against  cuda_tiled: 8 x 8 a thread, 16 for 64, and the next slice waits in registers.
 * Expect   Bound by arithmetic: of 100 instructions that a multiprocessor issues in the loop, 94 are
 *          multiply-adds, where cuda_tiled has 90.  What is left is the clock, which falls as the
 *          power rises, and the last round of tiles, which leaves some multiprocessors idle.
 * Try      STAGES = 2: what do the barriers cost when the next slice has only just been asked for?
 */
#include <cuda_pipeline.h>

#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_b, d_c */

/*
 *     tile of C, 128 x 128         Of a warp's 64 x 64, the lane at (y, x) of 8 x 4 lanes has rows
 *     +---------+---------+        y, y + 8, y + 16, ... and columns 4x to 4x + 3, 16 + 4x to
 *     | warp 0  | warp 1  |        16 + 4x + 3, and so on.  So a load of four numbers of A along k,
 *     +---------+---------+        or four of B along n, touches each bank once.
 *     | warp 2  | warp 3  |
 *     +---------+---------+
 */
enum {
    TILE_M = 128,
    TILE_N = 128,
    SLICE = 16, /* of k: 64 bytes of a row of A */
    STAGES = 3, /* slices under way and in use: 48 KiB, the most that needs no asking for */
    THREADS = TILE_M / 64 * (TILE_N / 64) * 32,
    COPIES = TILE_M * SLICE / 4 / THREADS, /* of fours of A, by a thread */
    ROWS = 8, /* of C in a thread */
    FOURS = 4, /* and times four columns */
    BAND = 8  /* rows of tiles that are gone through column by column: they share B in the cache */
};

/* Of A, [row][four of k], of B, [row of k][four columns]: a slice each. */
struct slices {
    float4 a[TILE_M * SLICE / 4], b[SLICE * TILE_N / 4];
};

/* Where four number `four` of row `row` of A is.  Rows that are read at once, eight that follow each
   other, have it in different banks; eight rows on, it is as far into its row again. */
__device__ static unsigned place(unsigned row, unsigned four)
{
    return row * (SLICE / 4) + (four ^ row / 2 % 4);
}

/* VECTORS: the lengths of all rows are multiples of 4, so that elements can be copied by fours. */
template <bool VECTORS> __device__ static void copy(void *to, const float *from, bool there)
{
    const unsigned bytes = VECTORS ? 16 : 4;

    __pipeline_memcpy_async(to, from, bytes, there ? 0 : bytes); /* else zeros */
}

/* Starts the copies that are this thread's of one slice, of which `depth` rows of B are there. */
template <bool VECTORS>
__device__ static void copy_slices(struct slices *to, const float *const a[COPIES], const float *b,
                                   size_t n, unsigned depth)
{
    const unsigned t = threadIdx.x, four = t % (SLICE / 4), step = VECTORS ? 4 : 1;
    const unsigned b_across = VECTORS ? TILE_N / 4 : TILE_N;

#pragma unroll
    for (unsigned r = 0; r < COPIES; r++)
#pragma unroll
        for (unsigned e = 0; e < 4; e += step)
            copy<VECTORS>((float *)&to->a[place(t / (SLICE / 4), four) + r * THREADS] + e, a[r] + e,
                          four * 4 + e < depth);
#pragma unroll
    for (unsigned row = 0; row < SLICE; row += THREADS / b_across)
        copy<VECTORS>((float *)to->b + t * step + row * TILE_N, b + row * n,
                      depth == SLICE || t / b_across + row < depth);
}

/* What a thread's elements of C need for two l. */
struct factors {
    float2 a[ROWS];
    float4 b[2][FOURS];
};

__device__ static void load(struct factors *to, const struct slices *from, unsigned y, unsigned x,
                            unsigned l)
{
#pragma unroll
    for (unsigned r = 0; r < ROWS; r++)
        to->a[r] = ((const float2 *)&from->a[place(y, l / 4) + 8 * r * (SLICE / 4)])[l / 2 % 2];
#pragma unroll
    for (unsigned e = 0; e < 2; e++)
#pragma unroll
        for (unsigned f = 0; f < FOURS; f++)
            to->b[e][f] = from->b[x / 4 + (l + e) * (TILE_N / 4) + 4 * f];
}

__device__ static void multiply(float sum[ROWS][FOURS * 4], const struct factors *factors)
{
#pragma unroll
    for (unsigned e = 0; e < 2; e++)
#pragma unroll
        for (unsigned r = 0; r < ROWS; r++)
#pragma unroll
            for (unsigned q = 0; q < FOURS * 4; q++)
                sum[r][q] += (e == 0 ? factors->a[r].x : factors->a[r].y) *
                             ((const float *)factors->b[e])[q];
}

template <bool VECTORS> __device__ static void put(float *row, size_t at, size_t length, float4 v)
{
    if (VECTORS) {
        if (at < length)
            *(float4 *)(row + at) = v;
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

template <bool VECTORS>
__global__ static void __launch_bounds__(THREADS, 256 / THREADS)
    matmul_async(size_t m, size_t n, size_t k, const float *a, const float *b, float *c)
{
    __shared__ struct slices ring[STAGES];
    const unsigned down = (m + TILE_M - 1) / TILE_M, across = (n + TILE_N - 1) / TILE_N;
    const unsigned band = blockIdx.x / (BAND * across), high = min(BAND, down - band * BAND);
    const size_t i0 = (size_t)(band * BAND + blockIdx.x % (BAND * across) % high) * TILE_M;
    const size_t j0 = (size_t)(blockIdx.x % (BAND * across) / high) * TILE_N;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned y = warp / (TILE_N / 64) * 64 + lane / 4, x = warp % (TILE_N / 64) * 64 + lane % 4 * 4;
    const unsigned slices = (k + SLICE - 1) / SLICE;
    float sum[ROWS][FOURS * 4] = {};

    /* Where this thread copies from.  What lies below C or beside it stays in sums that nobody
       stores, so that any row and column of A and B will do for it. */
    const unsigned t = threadIdx.x, b_across = VECTORS ? TILE_N / 4 : TILE_N;
    const size_t b_at = min(j0 + t % b_across * (VECTORS ? 4 : 1), n - (VECTORS ? 4 : 1));
    const float *a_from[COPIES], *b_from = b + t / b_across * n + b_at;

#pragma unroll
    for (unsigned r = 0; r < COPIES; r++)
        a_from[r] = a + min(i0 + t / (SLICE / 4) + r * (TILE_M / COPIES), m - 1) * k + t % (SLICE / 4) * 4;

    /* A slice that is not whole comes first: then those in the loop are. */
    unsigned depth = k - (size_t)(slices - 1) * SLICE;
    for (unsigned s = 0; s < STAGES - 1; s++) {
        if (s < slices) {
            copy_slices<VECTORS>(&ring[s], a_from, b_from, n, depth);
            for (unsigned r = 0; r < COPIES; r++)
                a_from[r] += depth;
            b_from += depth * n;
            depth = SLICE;
        }
        __pipeline_commit();
    }

    struct factors factors[2]; /* of two l while those of the next two are loaded */
    unsigned now = 0, next = STAGES - 1;

    __pipeline_wait_prior(STAGES - 2); /* my copies of the first slice have arrived, */
    __syncthreads();                   /* and so have everybody's */
    load(&factors[0], &ring[0], y, x, 0);
    for (unsigned slice = 0; slice < slices; slice++) {
        if (slice + STAGES - 1 < slices) {
            copy_slices<VECTORS>(&ring[next], a_from, b_from, n, SLICE);
#pragma unroll
            for (unsigned r = 0; r < COPIES; r++)
                a_from[r] += SLICE;
            b_from += SLICE * n;
        }
        __pipeline_commit();
#pragma unroll
        for (unsigned l = 0; l < SLICE; l += 2) {
            if (l + 2 == SLICE) { /* the next two are in the next slice */
                next = now;
                now = now + 1 < STAGES ? now + 1 : 0;
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads();
            }
            load(&factors[(l / 2 + 1) % 2], &ring[now], y, x, (l + 2) % SLICE);
            multiply(sum, &factors[l / 2 % 2]);
        }
    }
    __pipeline_wait_prior(0);
#pragma unroll
    for (unsigned r = 0; r < ROWS; r++) {
        const size_t i = i0 + y + 8 * r, length = i < m ? n : 0;

#pragma unroll
        for (unsigned f = 0; f < FOURS; f++) {
            const float *s = sum[r] + 4 * f;

            put<VECTORS>(c + i * n, j0 + x + 16 * f, length, make_float4(s[0], s[1], s[2], s[3]));
        }
    }
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const size_t tiles = (p->m + TILE_M - 1) / TILE_M * ((p->n + TILE_N - 1) / TILE_N);

    if (tiles == 0)
        return;
    if (p->n % 4 == 0 && p->k % 4 == 0)
        matmul_async<true><<<(unsigned)tiles, THREADS>>>(p->m, p->n, p->k, d_a, d_b, d_c);
    else
        matmul_async<false><<<(unsigned)tiles, THREADS>>>(p->m, p->n, p->k, d_a, d_b, d_c);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "asynchronous copies, and twice the tile in each thread's registers",
        .base = "cuda_tiled",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
