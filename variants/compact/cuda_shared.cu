/*
 * compact / cuda_shared
 *
 * Idea     A block packs a tile of 1024 elements, one per thread.  The place of an element in its tile is the number of
 *          kept elements before it: a prefix sum in shared memory, in ten steps (W. D. Hillis, G. L. Steele, "Data
 *          Parallel Algorithms", CACM 29(12), 1986).  The counts of the tiles are added up in the same way by one block.
 * Against  cuda_naive, whose threads read addresses far apart, and where one thread adds up.
 * Expect   Coalesced loads.  x is read twice and written once, 12 bytes per element where 8 are needed.  The ten steps
 *          have two barriers each, and cost more than the memory does.
 * Try      A tile of 256 elements: two steps fewer, and four times as many counts.
 * Level    2
 * Read     cuda_buffers.h
 *
 *     keeps      1 0 1 1 0 1 1 1     one number per thread
 *     + 1 left   1 1 1 2 1 1 2 2     each adds the number 1 to its left
 *     + 2 left   1 1 2 3 2 3 3 3     then the one 2 to its left
 *     + 4 left   1 1 2 3 3 4 5 6     then 4: now each has the sum up to itself
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_kept, d_count, keeps */

enum { TILE = 1024 }; /* elements, and threads of a block */

static uint64_t *d_places; /* [tiles] first the counts of the tiles, then where they go */

/* Returns the sum of the values of this thread and of those before it. */
__device__ static uint64_t sum_up_to(uint64_t value)
{
    __shared__ uint64_t sums[TILE];
    const unsigned t = threadIdx.x;

    __syncthreads(); /* the last call's sums have been read */
    sums[t] = value;
    for (unsigned distance = 1; distance < TILE; distance *= 2) {
        __syncthreads();
        const uint64_t left = t >= distance ? sums[t - distance] : 0;
        __syncthreads();
        sums[t] += left;
    }
    return sums[t];
}

__global__ static void count_tiles(const float *x, uint64_t *counts)
{
    const uint64_t sum = sum_up_to(keeps(x[(size_t)blockIdx.x * TILE + threadIdx.x]));

    if (threadIdx.x == TILE - 1)
        counts[blockIdx.x] = sum;
}

/* One block.  Each thread takes an equal share of the tiles. */
__global__ static void add_up(size_t tiles, uint64_t *places, uint64_t *count)
{
    const size_t share = (tiles + TILE - 1) / TILE, begin = threadIdx.x * share,
                 end = begin + share < tiles ? begin + share : tiles;
    uint64_t sum = 0;

    for (size_t t = begin; t < end; t++)
        sum += places[t];
    const uint64_t up_to = sum_up_to(sum);
    uint64_t before = up_to - sum;

    for (size_t t = begin; t < end; t++) {
        const uint64_t own = places[t];
        places[t] = before;
        before += own;
    }
    if (threadIdx.x == TILE - 1)
        *count = up_to;
}

__global__ static void pack_tiles(const float *x, const uint64_t *places, float *kept)
{
    const float value = x[(size_t)blockIdx.x * TILE + threadIdx.x];
    const uint64_t sum = sum_up_to(keeps(value));

    if (keeps(value))
        kept[places[blockIdx.x] + sum - 1] = value;
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

    count_tiles<<<(unsigned)tiles, TILE>>>(d_x, d_places);
    CUDA(cudaGetLastError());
    add_up<<<1, TILE>>>(tiles, d_places, d_count);
    CUDA(cudaGetLastError());
    pack_tiles<<<(unsigned)tiles, TILE>>>(d_x, d_places, d_kept);
    CUDA(cudaGetLastError());
}

static void release_places(void)
{
    CUDA(cudaFree(d_places));
    release();
}

VARIANT(.idea = "prefix sums of tiles in shared memory",
        .base = "cuda_naive",
        .device = &device_gpu,
        .prepare = prepare_places,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_places)
