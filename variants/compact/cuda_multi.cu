/*
 * compact / cuda_multi
 *
 * Idea     All GPUs, one host thread for each.  Each GPU packs one part of x.  The counts meet on the host: they say where
 *          each part of the answer begins.
 * Against  cuda_lookback, on one GPU.
 * Expect   End to end: the rate at which one host core can copy ordinary memory to a GPU and back, times the number of
 *          GPUs, until the host's memory is the limit.
 * Try      --devices 1,2,4.
 * Level    3
 * Read     cuda_buffers.h, cuda_strip.h, lookback.h
 */
#include <omp.h>

#include "cuda_strip.h" /* strip_load, block_places, strip_store */
#include "lookback.h"   /* lookback_ticket, lookback_publish, lookback_before */

enum { WARPS = 8, ROUNDS = 16, STRIP = ROUNDS * 32, TILE = WARPS * STRIP };

static struct gpu {
    float *d_x, *d_kept;
    uint64_t *d_count, count;
    struct lookback state;
} *gpus;

static int number; /* of GPUs */

__global__ static void pack(const float *x, float *kept, uint64_t *count, lookback state)
{
    __shared__ unsigned ticket;
    __shared__ uint64_t before;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    if (threadIdx.x == 0)
        ticket = lookback_ticket(state, state.tiles);
    __syncthreads();
    const unsigned tile = ticket;
    const strip<ROUNDS> s = strip_load<ROUNDS>(x + (size_t)tile * TILE + warp * STRIP);
    const places p = block_places<WARPS>(s.count);

    if (warp == 0) {
        if (lane == 0)
            lookback_publish(state, tile, OWN, p.all);
        const uint64_t sum = lookback_before(state, tile);
        if (lane == 0) {
            lookback_publish(state, tile, ALL, sum + p.all);
            before = sum;
            if (tile == state.tiles - 1)
                *count = sum + p.all;
        }
    }
    __syncthreads();
    strip_store(s, kept + before + p.before);
}

/* The part of GPU g begins here; parts are whole tiles. */
static size_t begin_of(size_t n, int g)
{
    const size_t part = tiles_of(tiles_of(n, TILE), (size_t)number) * TILE;

    return part * (size_t)g < n ? part * (size_t)g : n;
}

static void prepare_all(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;

    CUDA(cudaGetDeviceCount(&number));
    gpus = (struct gpu *)malloc((size_t)number * sizeof *gpus);
    for (int g = 0; g < number; g++) {
        const size_t n = begin_of(p->n, g + 1) - begin_of(p->n, g), whole = tiles_of(n, TILE) * TILE;
        struct gpu *gpu = &gpus[g];

        CUDA(cudaSetDevice(g));
        CUDA(cudaMalloc(&gpu->d_x, whole * sizeof *gpu->d_x));
        CUDA(cudaMalloc(&gpu->d_kept, (n + 1) * sizeof *gpu->d_kept));
        CUDA(cudaMalloc(&gpu->d_count, sizeof *gpu->d_count));
        CUDA(cudaMemset(gpu->d_x + n, 0xff, (whole - n) * sizeof *gpu->d_x)); /* NaN up to a whole tile */
        lookback_make(&gpu->state, whole / TILE);
    }
    CUDA(cudaSetDevice(0)); /* the current device is per thread; the harness uses device 0 */
}

/* Copies a part to GPU g and packs it. */
static void pack_part(const struct compact *p, int g)
{
    const size_t first = begin_of(p->n, g), n = begin_of(p->n, g + 1) - first;
    struct gpu *gpu = &gpus[g];

    CUDA(cudaSetDevice(g));
    CUDA(cudaMemcpy(gpu->d_x, p->x + first, n * sizeof *p->x, cudaMemcpyHostToDevice));
    lookback_next_call(&gpu->state);
    pack<<<gpu->state.tiles, WARPS * 32>>>(gpu->d_x, gpu->d_kept, gpu->d_count, gpu->state);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(&gpu->count, gpu->d_count, sizeof gpu->count, cudaMemcpyDeviceToHost));
}

/* Copies the answer of GPU g to its place, behind those of the GPUs before it. */
static void fetch_part(const struct compact *p, int g)
{
    uint64_t before = 0;

    for (int i = 0; i < g; i++)
        before += gpus[i].count;
    CUDA(cudaMemcpy(p->kept + before, gpus[g].d_kept, gpus[g].count * sizeof *p->kept, cudaMemcpyDeviceToHost));
    if (g == number - 1)
        *p->count = before + gpus[g].count;
}

static void run(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;

#pragma omp parallel num_threads(number)
    {
        const int g = omp_get_thread_num(); /* thread 0 is the harness's, which uses GPU 0 */
        pack_part(p, g);
#pragma omp barrier
        fetch_part(p, g);
    }
}

static void release_all(void)
{
    for (int g = 0; g < number; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaFree(gpus[g].d_x));
        CUDA(cudaFree(gpus[g].d_kept));
        CUDA(cudaFree(gpus[g].d_count));
        lookback_free(&gpus[g].state);
    }
    CUDA(cudaSetDevice(0));
    free(gpus);
}

VARIANT(.idea = "one host thread and one part per GPU; counts meet on the host",
        .base = "cuda_lookback",
        .device = &device_gpu,
        .traits = TRAIT_ALL_GPUS,
        .prepare = prepare_all,
        .run = run,
        .release = release_all)
