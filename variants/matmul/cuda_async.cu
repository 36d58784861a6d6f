/*
 * matmul / cuda_async
 *
 * Idea     Slices of A and B go from global to shared memory by asynchronous copies, past the
 *          registers.  That frees so many of them that a thread can hold 16 x 8 elements of C, and
 *          the factors for the next multiply-adds beside those in use.
 * Against  cuda_tiled: 8 x 8 a thread, and the next slice waits in registers.
 * Expect   Bound by what the registers can deliver.  They lie in two banks, and each gives a warp
 *          one operand a cycle, but a multiply-add has three: one has to be the operand of the
 *          multiply-add before, kept at hand, and the others from different banks.  `multiply` and
 *          the addition of zero at the end are there to let the compiler find such an order.
 * Try      Without "+ zero".  Then the compiler stores four sums at once, from registers in a row,
 *          in the order of B's four, and so in the same banks.  Or SLICE = 16: the loop outgrows
 *          the cache for instructions.
 */
#include <cuda_pipeline.h>

#include "common/variant.h"
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
    ROWS = 16,   /* of C in a thread */
    COLUMNS = 8,
    COPIES = TILE * SLICE / THREADS, /* of elements of A, by a thread */
    PAD = 4,
    BAND = 8     /* rows of tiles, gone through column by column: they share B in the cache */
};

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

/* What a thread's elements of C need for one l. */
struct factors {
    float4 a[ROWS / 4], b[COLUMNS / 4];
};

__device__ static void load(struct factors *to, const struct slices *from, unsigned y, unsigned x,
                            unsigned l)
{
#pragma unroll
    for (unsigned r = 0; r < ROWS / 4; r++)
        to->a[r] = *(const float4 *)&from->a[l][y + 16 * r];
#pragma unroll
    for (unsigned q = 0; q < COLUMNS / 4; q++)
        to->b[q] = *(const float4 *)&from->b[l][x + 32 * q];
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

/* b_quads: fours of elements from row to row of B */
template <bool VECTORS>
__global__ static void __launch_bounds__(THREADS, 2)
    matmul_async(size_t m, size_t n, size_t k, const float *a, const float *b,
                 unsigned b_quads, float *c, float zero)
{
    __shared__ struct slices ring[STAGES];
    const size_t b_row = (size_t)4 * b_quads;
    const unsigned down = (m + TILE - 1) / TILE, across = (n + TILE - 1) / TILE;
    const unsigned band = blockIdx.x / (BAND * across), high = min(BAND, down - band * BAND);
    const size_t i0 = (size_t)(band * BAND + blockIdx.x % (BAND * across) % high) * TILE;
    const size_t j0 = (size_t)(blockIdx.x % (BAND * across) / high) * TILE;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned y = warp / 2 * 64 + (lane / 16 * 2 + lane % 2) * 4;
    const unsigned x = warp % 2 * 64 + lane / 2 % 8 * 4;
    const unsigned slices = (k + SLICE - 1) / SLICE;
    float sum[ROWS][COLUMNS] = {};

    /* Where this thread copies from.  What lies below C or beside it stays in sums that nobody
       stores, so that any row and column of A and B will do for it. */
    const unsigned t = threadIdx.x;
    const size_t b_at = min(j0 + t % (TILE / 4) * 4, b_row - 4);
    const float *a_from[COPIES], *b_from = b + t / (TILE / 4) * b_row + b_at;

#pragma unroll
    for (unsigned r = 0; r < COPIES; r++)
        a_from[r] = a + min(i0 + t / SLICE + r * (TILE / COPIES), m - 1) * k + t % SLICE;

    /* A slice that is not whole comes first: then those in the loop are. */
    unsigned depth = k - (size_t)(slices - 1) * SLICE;
    for (unsigned s = 0; s < STAGES - 1; s++) {
        depth = s < slices ? depth : 0;
        copy_slices(&ring[s], a_from, b_from, b_row, depth);
        __pipeline_commit();
        for (unsigned r = 0; r < COPIES; r++)
            a_from[r] += depth;
        b_from += depth * b_row;
        depth = SLICE;
    }

    struct factors factors[2]; /* of this l and of the next */
    unsigned now = 0, next = STAGES - 1;

    __pipeline_wait_prior(STAGES - 2); /* my copies of the first slice have arrived, */
    __syncthreads();                   /* and so have everybody's */
    load(&factors[0], &ring[0], y, x, 0);
    for (unsigned slice = 0; slice < slices; slice++) {
        if (slice + STAGES - 1 < slices) {
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
                now = slice + 1 == slices ? now : (now + 1) % STAGES;
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads();
            }
            load(&factors[(l + 1) % 2], &ring[now], y, x, (l + 1) % SLICE);
            multiply(sum, &factors[l % 2]);
        }
    }
    __pipeline_wait_prior(0);
#pragma unroll
    for (unsigned r = 0; r < ROWS; r++) {
        const size_t i = i0 + y + r / 4 * 16 + r % 4, length = i < m ? n : 0;

#pragma unroll
        for (unsigned q = 0; q < COLUMNS; q += 4) {
            const float *s = sum[r] + q;

            put<VECTORS>(c + i * n, j0 + x + 8 * q, length,
                         make_float4(s[0] + zero, s[1] + zero, s[2] + zero, s[3] + zero));
        }
    }
}

/* B's rows, so far apart that each begins at a multiple of 16 bytes; a block a row */
__global__ static void matmul_widen(size_t n, size_t row, const float *from, float *to)
{
    for (size_t j = threadIdx.x; j < row; j += blockDim.x)
        to[blockIdx.x * row + j] = j < n ? from[blockIdx.x * n + j] : 0;
}

static float *d_wide; /* [k][4 * b_quads]: B, where its own rows are not such; else NULL */
static unsigned b_quads;

static void prepare_wide(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    prepare(problem);
    b_quads = (unsigned)((p->n + 3) / 4);
    d_wide = NULL;
    if (p->n % 4 != 0)
        CUDA(cudaMalloc(&d_wide, p->k * b_quads * sizeof(float4)));
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const size_t tiles = (p->m + TILE - 1) / TILE * ((p->n + TILE - 1) / TILE);

    if (tiles == 0)
        return;
    if (p->n % 4 == 0) {
        matmul_async<true><<<(unsigned)tiles, THREADS>>>(p->m, p->n, p->k, d_a, d_b, b_quads, d_c,
                                                         -0.0f);
    } else {
        if (p->k > 0)
            matmul_widen<<<(unsigned)p->k, 256>>>(p->n, (size_t)4 * b_quads, d_b, d_wide);
        matmul_async<false><<<(unsigned)tiles, THREADS>>>(p->m, p->n, p->k, d_a, d_wide, b_quads,
                                                          d_c, -0.0f);
    }
    CUDA(cudaGetLastError());
}

static void release_wide(void)
{
    CUDA(cudaFree(d_wide));
    d_wide = NULL;
    release();
}

VARIANT(.idea = "asynchronous copies, and twice the tile in each thread's registers",
        .base = "cuda_tiled",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare_wide,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_wide)
