/*
 * compact / cuda_warp
 *
 * Idea     One ballot is the prefix sum of 32 elements: bit l says whether lane l keeps its element, and the number of
 *          bits below a lane's own is its place.  A warp packs 512 elements so, a block 4096, with one barrier.
 * Against  cuda_shared, with twenty barriers for 1024 elements.
 * Expect   The memory's rate, for 12 bytes per element: x is read by two kernels.
 * Try      ROUNDS = 4, 32: how many loads must be in flight?
 * Level    2
 * Read     cuda_add_up.h, cuda_buffers.h, cuda_strip.h
 *
 *     lane                    0 1 2 3 4 5 6 7
 *     keeps its element       1 0 1 1 0 1 1 1     the ballot
 *     bits below its own      0   1 2   3 4 5     where the element goes
 */
#include "cuda_add_up.h"
#include "cuda_strip.h" /* strip_load, block_places, strip_store */

enum { WARPS = 8, ROUNDS = 16, STRIP = ROUNDS * 32, TILE = WARPS * STRIP, THREADS = WARPS * 32 };

static uint64_t *d_places; /* [tiles] first the counts of the tiles, then where they go */

__global__ static void count_tiles(const float *x, uint64_t *counts)
{
    const unsigned warp = threadIdx.x / 32;
    const strip<ROUNDS> s = strip_load<ROUNDS>(x + (size_t)blockIdx.x * TILE + warp * STRIP);
    const places p = block_places<WARPS>(s.count);

    if (threadIdx.x == 0)
        counts[blockIdx.x] = p.all;
}

__global__ static void pack_tiles(const float *x, const uint64_t *to, float *kept)
{
    const unsigned warp = threadIdx.x / 32;
    const strip<ROUNDS> s = strip_load<ROUNDS>(x + (size_t)blockIdx.x * TILE + warp * STRIP);
    const places p = block_places<WARPS>(s.count);

    strip_store(s, kept + to[blockIdx.x] + p.before);
}

static void prepare_places(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;

    prepare(problem);
    CUDA(cudaMalloc(&d_places, tiles_of(p->n, TILE) * sizeof *d_places));
}

static void run(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;
    const size_t tiles = tiles_of(p->n, TILE);

    count_tiles<<<(unsigned)tiles, THREADS>>>(d_x, d_places);
    CUDA(cudaGetLastError());
    add_up<<<1, ADDERS>>>(tiles, d_places, d_count);
    CUDA(cudaGetLastError());
    pack_tiles<<<(unsigned)tiles, THREADS>>>(d_x, d_places, d_kept);
    CUDA(cudaGetLastError());
}

static void release_places(void)
{
    CUDA(cudaFree(d_places));
    release();
}

VARIANT(.idea = "a ballot is the prefix sum of 32 elements",
        .base = "cuda_shared",
        .device = &device_gpu,
        .prepare = prepare_places,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_places)
