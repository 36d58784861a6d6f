/*
 * matmul / cuda_stream_k
 *
 * Idea     Tiles are done in rounds: as many at once as the device has places for blocks.  In full
 *          rounds each block computes a tile.  A last round that is not full would leave places
 *          idle.  So its slices are shared evenly among as many blocks as there are places, and
 *          each block adds its part of a tile to C by atomics.
 * Against  cuda_async, where each tile is computed by one block.
 * Expect   At 4096, 1024 tiles in 264 places are 3.88 rounds and take the time of four: 3 % to
 *          gain.  Part of it is lost again, because the shared tiles must be cleared and added to.
 *          Blocks add in any order, so C's last bits differ from run to run.
 * Try      PRICE = 0, at 1000 x 8000 x 300: 38 slices per tile are too few to pay for the sharing,
 *          0.140 ms instead of 0.112 on an H200 (2026-11-22).
 * Level    3
 * Read     async.h, async_host.h, cuda_buffers.h
 */
#include "common/variant.h"
#include "async.h"      /* multiply_tile, place_of, put */
#include "async_host.h" /* prepare_wide, upload, download, release_wide; product_of */

/* The cost of sharing, as the number of slices that a block could multiply in that time: 25 to 40, measured. */
enum { PRICE = 40 };

/* Adds a four to C.  Other blocks add to the same elements, in any order. */
__device__ static void add(float *row, size_t at, size_t length, float4 v)
{
    if (at < length)
        atomicAdd(&row[at], v.x);
    if (at + 1 < length)
        atomicAdd(&row[at + 1], v.y);
    if (at + 2 < length)
        atomicAdd(&row[at + 2], v.z);
    if (at + 3 < length)
        atomicAdd(&row[at + 3], v.w);
}

/* Of the tiles before `whole`, each belongs to one block.  Each further block has `share` slices of the rest. */
template <bool VECTORS>
__global__ static void __launch_bounds__(square::threads, square::per_processor)
    matmul_stream_k(struct product p, unsigned whole, unsigned share, unsigned tiles, float zero)
{
    const unsigned slices = slices_of(p.k);
    unsigned tile = blockIdx.x, first = 0, left = slices;

    if (blockIdx.x >= whole) {
        const size_t slice = (size_t)(blockIdx.x - whole) * share;

        tile = whole + slice / slices;
        first = slice % slices;
        left = min((size_t)share, (size_t)(tiles - whole) * slices - slice);
    }
#pragma unroll 1
    while (left > 0) {
        const unsigned count = min(slices - first, left);

        multiply_tile<square, B_FIRST, sizeof(float4)>(
            p, place_of<square>(p, tile), first, count, zero,
            [=](unsigned, float *row, size_t at, size_t length, float4 four) {
                if (count == slices)
                    put<VECTORS>(row, at, length, four);
                else
                    add(row, at, length, four);
            });
        tile++;
        first = 0;
        left -= count;
        __syncthreads(); /* all threads have read the ring */
    }
}

/* Clears the tiles that several blocks add to; a block per tile. */
__global__ static void matmul_clear(struct product p, unsigned whole)
{
    const struct place at = place_of<square>(p, whole + blockIdx.x);

    for (unsigned q = threadIdx.x; q < square::high * square::wide; q += blockDim.x) {
        const size_t i = at.i + q / square::wide, j = at.j + q % square::wide;

        if (i < p.m && j < p.n)
            p.c[i * p.n + j] = 0;
    }
}

static unsigned places; /* blocks that fit on the device at once */

static void prepare_stream_k(const void *problem)
{
    int processors;

    prepare_wide(problem);
    CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    places = square::per_processor * (unsigned)processors;
}

/* Returns how many tiles are shared: those of the last round, if it leaves more idle than sharing costs, else 0. */
static unsigned shared_tiles(unsigned tiles, unsigned slices)
{
    const size_t rest = tiles % places;

    return (places - rest) * slices > (size_t)places * PRICE ? (unsigned)rest : 0;
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const unsigned tiles = tiles_in<square>(p->m, p->n), slices = slices_of(p->k);

    if (tiles == 0)
        return;
    if (slices == 0) { /* k = 0: every sum is 0 */
        CUDA(cudaMemset(d_c, 0, p->m * p->n * sizeof(float)));
        return;
    }

    const struct product product = product_of(p);
    const unsigned rest = shared_tiles(tiles, slices), whole = tiles - rest;
    const size_t shared = (size_t)rest * slices;
    const unsigned share = (unsigned)((shared + places - 1) / places);
    const unsigned blocks = whole + (rest > 0 ? (unsigned)((shared + share - 1) / share) : 0);

    if (rest > 0)
        matmul_clear<<<rest, 256>>>(product, whole);
    if (p->n % 4 == 0)
        matmul_stream_k<true><<<blocks, square::threads>>>(product, whole, share, tiles, -0.0f);
    else
        matmul_stream_k<false><<<blocks, square::threads>>>(product, whole, share, tiles, -0.0f);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "all blocks share the slices of the last round's tiles",
        .base = "cuda_async",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare_stream_k,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_wide)
