/*
 * Tiles of five sizes, for cuda_any_shape, and k shared among blocks with sums in a fixed order.
 *
 *     blocks    0  1  2  ...  whole - 1   | whole          | whole + 1      | ...
 *     work      a tile each: to C         | share slices   | share slices   | of the tiles that are left
 *
 *     tiles                                  t t t t t t t t t u u u u u u u u u ...
 *     parts                                  t0 .......... t1 . u0 ............. u1 ...
 *
 * A part is what one block sums up of a tile.  Parts go to memory, and a second kernel adds those of each tile in the
 * order of their slices.
 */
#ifndef RUNGS_MATMUL_CUDA_TILES_H
#define RUNGS_MATMUL_CUDA_TILES_H

#include "async.h"
#include "cuda_thin.h"

/* Beside `square` (async.h): 16 x 8 sums a thread and 8 x 8.  Only small_square gains from two groups of threads. */
typedef tile_of<16, 1, 2, 8, 4> half_square;    /* 64 x 128 */
typedef tile_of<8, 2, 1, 8, 2, 2> small_square; /* 64 x 64 */
typedef tile_of<8, 1, 2, 8, 4> flat;            /* 32 x 128 */
typedef tile_of<8, 2, 1, 4, 4> tall;            /* 128 x 32 */

/* What a variant's blocks do: each of the first `whole` has a tile, each further one `share` slices of the others. */
struct schedule {
    unsigned tiles, whole, share;
};

/* Returns which of the sharing blocks has a tile's first slice, and the last one.  Tiles count from `whole` on. */
__host__ __device__ static inline unsigned first_block(unsigned tile, unsigned slices, unsigned share)
{
    return (unsigned)((size_t)tile * slices / share);
}

__host__ __device__ static inline unsigned last_block(unsigned tile, unsigned slices, unsigned share)
{
    return (unsigned)(((size_t)(tile + 1) * slices - 1) / share);
}

/* Sums of a tile over some of its slices are a part.  A block has at most two, because its share is no more than a
   tile's slices.  parts[2 * block + piece][four of a thread][thread] */
template <class tile> __device__ static float4 *part_at(float4 *parts, unsigned block, unsigned piece)
{
    return parts + ((size_t)2 * block + piece) * (tile::rows * COLUMNS / 4 * tile::threads);
}

template <class tile, unsigned BYTES, bool VECTORS>
__global__ static void __launch_bounds__(tile::block, tile::per_processor)
    matmul_tiles(struct product p, struct schedule s, float zero, float4 *parts)
{
    const unsigned slices = slices_of(p.k);
    unsigned number = blockIdx.x, first = 0, left = slices, piece = 0;

    if (blockIdx.x >= s.whole) {
        const size_t slice = (size_t)(blockIdx.x - s.whole) * s.share;

        number = s.whole + slice / slices;
        first = slice % slices;
        left = min((size_t)s.share, (size_t)(s.tiles - s.whole) * slices - slice);
    }
#pragma unroll 1
    while (left > 0) {
        const unsigned count = min(slices - first, left);
        float4 *part = part_at<tile>(parts, blockIdx.x - s.whole, piece) + threadIdx.x;

        multiply_tile<tile, B_LATER, BYTES>(
            p, place_of<tile>(p, number), first, count, zero,
            [=](unsigned four, float *row, size_t at, size_t length, float4 sums) {
                if (count == slices)
                    put<VECTORS>(row, at, length, sums);
                else
                    part[four * tile::threads] = sums;
            });
        number++;
        piece++;
        first = 0;
        left -= count;
        __syncthreads(); /* all threads have read the ring */
    }
}

/*
 * Adds the parts of the shared tiles, in the order of their slices.  blockIdx.y is the tile, a thread has one four of
 * it.  `adders` threads have the same four: each adds some consecutive parts, and the first one adds these sums.
 */
template <class tile, bool VECTORS>
__global__ static void __launch_bounds__(ADD_THREADS)
    matmul_add_tiles(struct product p, struct schedule s, unsigned adders, float4 *parts)
{
    __shared__ float4 sums[ADD_THREADS];
    const unsigned slices = slices_of(p.k), width = ADD_THREADS / adders;
    const unsigned adder = threadIdx.x / width, e = blockIdx.x * width + threadIdx.x % width;
    const unsigned first = first_block(blockIdx.y, slices, s.share);
    const unsigned count = last_block(blockIdx.y, slices, s.share) - first + 1;
    const unsigned begin = count * adder / adders, end = count * (adder + 1) / adders;
    float4 sum = {};

    if (count == 1)
        return; /* a single block has written the tile to C */
#pragma unroll 4
    for (unsigned q = begin; q < end; q++) {
        /* A tile is the second piece of its first block, unless it is where the block begins. */
        const bool second = q == 0 && (size_t)first * s.share < (size_t)blockIdx.y * slices;
        const float4 part = __ldcs(&part_at<tile>(parts, first + q, second)[e]);

        sum.x += part.x;
        sum.y += part.y;
        sum.z += part.z;
        sum.w += part.w;
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (adder > 0)
        return;
    for (unsigned g = 1; g < adders; g++) {
        const float4 more = sums[g * width + threadIdx.x];

        sum.x += more.x;
        sum.y += more.y;
        sum.z += more.z;
        sum.w += more.w;
    }

    const struct place at = place_of<tile>(p, s.whole + blockIdx.y);
    const unsigned t = e % tile::threads, four = e / tile::threads, r = four / (COLUMNS / 4);
    const size_t i = at.i + row_in_tile<tile>(t) + r / 4 * tile::step + r % 4;
    const size_t j = at.j + column_in_tile<tile>(t) + four % (COLUMNS / 4) * 4 * tile::lanes;

    put<VECTORS>(p.c + i * p.n, j, i < p.m ? p.n : 0, sum);
}

#endif
