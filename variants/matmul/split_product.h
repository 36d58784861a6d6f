/*
 * A product of float32's accuracy on tensor cores: the kernel of cuda_tensor_split, which explains the idea, and its host
 * side, for products of other problems, too.
 */
#ifndef RUNGS_MATMUL_SPLIT_PRODUCT_H
#define RUNGS_MATMUL_SPLIT_PRODUCT_H

#include "cuda_buffers.h" /* d_a, d_b, d_c */
#include "hopper.h"       /* tensor_map, fetch, products_begin, ... */
#include "ring.h"         /* how fetching and multiplying threads meet; BLOCKS, THREADS */
#include "split.h"        /* HIGH, LOW; split_rows, split_columns; exponent, TOP */

/*
 *     tile of C, 256 x 192, for a cluster of two blocks
 *     +---------------------+
 *     | block 0, warps 4-7  |  64 x 192 sums: 96 in each thread, and 96 of the last slice
 *     |          warps 8-11 |
 *     | block 1, warps 4-7  |  each block fetches its part of A, 128 x 64 at a time, and, for
 *     |          warps 8-11 |  both, the high or the low halves of B, 64 x 192
 *     +---------------------+
 */
enum {
    TILE_M = 128,
    TILE_N = 192,
    SLICE = ROW / 2, /* of k: a row of a box */
    BOXES = TILE_N / SLICE, /* of B, side by side */
    STAGES = 2,
    BAND = 8 /* rows of tiles that are done column by column */
};

struct slices {
    __half a[2][TILE_M][SLICE], b[2][BOXES][SLICE][SLICE];
};

typedef ring_of<slices, STAGES> slice_ring;

struct maps {
    CUtensorMap a[2], b[2];
};

/* --- the product ------------------------------------------------------------------------------ */

/* sum (+)= 64 rows of A, 16 columns, times 16 rows of B */
template <bool ADD> __device__ static void multiply(float sum[96], uint64_t a, uint64_t b)
{
    asm volatile("{.reg .pred add; setp.ne.u32 add, %98, 0; "
                 "wgmma.mma_async.sync.aligned.m64n192k16.f32.f16.f16 " PLACES96
                 "}, %96, %97, add, 1, 1, 0, 1;}"
                 : SUMS32(sum, 0), SUMS32(sum, 32), SUMS32(sum, 64)
                 : "l"(a), "l"(b), "n"(ADD));
}

/* sum = 64 rows of A times B, for one slice.  The small products come first, while the sum is small. */
__device__ static void multiply_slice(float sum[96], const struct slices *from, unsigned row)
{
    products_begin();
#pragma unroll
    for (unsigned l = 0; l < SLICE; l += 16) {
        const uint64_t a_high = descriptor(&from->a[HIGH][row][l]);
        const uint64_t a_low = descriptor(&from->a[LOW][row][l]);
        const uint64_t b_high = descriptor(from->b[HIGH][0][l], sizeof from->b[HIGH][0]);
        const uint64_t b_low = descriptor(from->b[LOW][0][l], sizeof from->b[LOW][0]);

        if (l == 0)
            multiply<false>(sum, a_high, b_low);
        else
            multiply<true>(sum, a_high, b_low);
        multiply<true>(sum, a_low, b_high);
    }
#pragma unroll
    for (unsigned l = 0; l < SLICE; l += 16)
        multiply<true>(sum, descriptor(&from->a[HIGH][row][l]),
                       descriptor(from->b[HIGH][0][l], sizeof from->b[HIGH][0]));
    products_end();
    products_wait<0>();
}

/* Writes C's elements j and j + 1 of a row, scaled back. */
__device__ static void put(float *row, size_t j, size_t n, const unsigned *largest, int by,
                           const float *two)
{
    if (j < n)
        row[j] = ldexpf(two[0], by + exponent(largest[j]));
    if (j + 1 < n)
        row[j + 1] = ldexpf(two[1], by + exponent(largest[j + 1]));
}

__global__ static void __cluster_dims__(BLOCKS, 1, 1) __launch_bounds__(THREADS, 1)
    matmul_tensor_split(size_t m, size_t n, size_t k, const __grid_constant__ struct maps maps,
                        const unsigned *a_largest, const unsigned *b_largest, float *c)
{
    extern __shared__ __align__(UNIT) unsigned char memory[];
    slice_ring *ring = (slice_ring *)memory;
    const tiles_of<TILE_M, TILE_N, BAND> tiles(m, n);
    const size_t count = (k + SLICE - 1) / SLICE;
    const unsigned group = threadIdx.x / GROUP, t = threadIdx.x % GROUP;
    struct turn turn = {};
    size_t i0, j0;

    ring_init(ring);

    if (group == 0) {
        registers_down<40>();
        if (t == 0)
            ring_fill(ring, tiles, count, [&](struct slices *to, size_t i, size_t j, size_t slice,
                                              uint64_t *full) {
                const size_t l = slice * SLICE;
                const unsigned rank = cluster_rank();

                fetch(to->a[HIGH], &maps.a[HIGH], i, l, full);
                fetch(to->a[LOW], &maps.a[LOW], i, l, full);
                for (unsigned box = 0; box < BOXES; box++)
                    fetch_for((1 << BLOCKS) - 1, to->b[rank][box], &maps.b[rank], l,
                              j + box * SLICE, full);
            });
    } else {
        registers_up<232>();
        for (size_t tile = blockIdx.x / BLOCKS; tile < tiles.down * tiles.across;
             tile += gridDim.x / BLOCKS) {
            float sum[96] = {}, part[96];

            for (size_t slice = 0; slice < count; slice++) {
                multiply_slice(part, ring_take(ring, turn), (group - 1) * 64);
                ring_release(ring, turn.at, t);
#pragma unroll
                for (unsigned q = 0; q < 96; q++)
                    sum[q] += part[q];
                next(ring, &turn);
            }

            tiles.place(tile, &i0, &j0);
            /* A warp has 16 rows; a lane two of them, and of every eight columns two. */
#pragma unroll
            for (unsigned half = 0; half < 2; half++) {
                const size_t i = i0 + (group - 1) * 64 + t / 32 * 16 + half * 8 + t % 32 / 4;

                if (i < m)
#pragma unroll
                    for (unsigned q = 0; q < TILE_N / 8; q++)
                        put(c + i * n, j0 + q * 8 + t % 4 * 2, n, b_largest,
                            exponent(a_largest[i]) - 2 * TOP, &sum[q * 4 + half * 2]);
            }
        }
    }
    cluster_wait(); /* the other block may still write here */
}

static struct maps maps;
static __half *d_a_pieces, *d_b_pieces;
static unsigned *d_a_largest, *d_b_largest; /* of rows, of columns: bits of absolute values */
static bool odd;                            /* the columns' lie at d_b_largest + n; each run clears the other half */
static int blocks;                          /* one per multiprocessor */

static const char *split_refuse(const struct matmul *p)
{
    if (p->k > 0 && p->k < 16)
        return "two pieces lose 2^-21 of a product: float32 is more exact for sums of less than 16";
    return hopper_missing();
}

/* Returns the distance of rows in elements: a multiple of 16 bytes, which the copy engine needs. */
static size_t stride(size_t columns)
{
    return (columns + 7) / 8 * 8;
}

static CUtensorMap map_of(const __half *pieces, int piece, size_t rows, size_t columns,
                          unsigned box_rows)
{
    return tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, sizeof *pieces,
                      pieces + piece * rows * stride(columns), rows, columns,
                      stride(columns) * sizeof *pieces, box_rows);
}

/* Allocates what the product needs beside A, B and C. */
static void split_prepare(const struct matmul *p)
{
    CUDA(cudaMalloc(&d_a_pieces, 2 * p->m * stride(p->k) * sizeof *d_a_pieces));
    CUDA(cudaMalloc(&d_b_pieces, 2 * p->k * stride(p->n) * sizeof *d_b_pieces));
    CUDA(cudaMalloc(&d_a_largest, p->m * sizeof *d_a_largest));
    CUDA(cudaMalloc(&d_b_largest, 2 * p->n * sizeof *d_b_largest));
    CUDA(cudaMemset(d_b_largest, 0, 2 * p->n * sizeof *d_b_largest));
    CUDA(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0));
    CUDA(cudaFuncSetAttribute(matmul_tensor_split, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              sizeof(slice_ring)));
    if (p->m == 0 || p->n == 0 || p->k == 0)
        return;
    for (int piece = HIGH; piece <= LOW; piece++) {
        maps.a[piece] = map_of(d_a_pieces, piece, p->m, p->k, TILE_M);
        maps.b[piece] = map_of(d_b_pieces, piece, p->k, p->n, SLICE);
    }
}

/* d_c = d_a times d_b */
static void split_multiply(const struct matmul *p)
{
    const size_t b_blocks = (p->n + SPLIT_THREADS - 1) / SPLIT_THREADS *
                            ((p->k + SPLIT_ROWS - 1) / SPLIT_ROWS);

    if (p->m == 0 || p->n == 0)
        return;
    if (p->k == 0) { /* nothing to fetch */
        CUDA(cudaMemset(d_c, 0, p->m * p->n * sizeof(float)));
        return;
    }

    unsigned *const largest = d_b_largest + (odd ? p->n : 0), *const next = d_b_largest + (odd ? 0 : p->n);

    odd = !odd;
    split_rows<<<(unsigned)(p->m + b_blocks), SPLIT_THREADS>>>(p->m, p->n, p->k, stride(p->k), d_a, d_a_largest,
                                                               d_a_pieces, d_b, largest);
    split_columns<<<(unsigned)b_blocks, SPLIT_THREADS>>>(p->k, p->n, stride(p->n), d_b, largest,
                                                         d_b_pieces, next);
    matmul_tensor_split<<<blocks / BLOCKS * BLOCKS, THREADS, sizeof(slice_ring)>>>(
        p->m, p->n, p->k, maps, d_a_largest, largest, d_c);
    CUDA(cudaGetLastError());
}

static void split_release(void)
{
    CUDA(cudaFree(d_a_pieces));
    CUDA(cudaFree(d_b_pieces));
    CUDA(cudaFree(d_a_largest));
    CUDA(cudaFree(d_b_largest));
}

#endif
