/*
 * compact / cuda_managed
 *
 * Idea     Managed memory: pointers that are valid on host and device.  x is prefetched before the kernels; of the answer
 *          only the pages that were written are prefetched back, because the count is known by then.
 * Against  cuda_warp, with arrays on each side and copies between them.
 * Expect   End to end the bus's rate: 4 bytes per element up, 3.2 down with 20 % NaN, one after the other.  The host then
 *          copies the answer to where it belongs.  `reset` puts x back into host memory, untimed, before each run.
 * Try      Prefetch all of m_kept: with --size n=268435456,nan=100 nothing of it is needed.
 * Level    2
 * Read     cuda_add_up.h, cuda_buffers.h, cuda_strip.h
 */
#include <string.h>

#include "cuda_add_up.h"
#include "cuda_strip.h" /* strip_load, block_places, strip_store */

enum { WARPS = 8, ROUNDS = 16, STRIP = ROUNDS * 32, TILE = WARPS * STRIP, THREADS = WARPS * 32 };

static float *m_x, *m_kept; /* m_: valid on both sides */
static uint64_t *d_places;  /* [tiles] first the counts of the tiles, then where they go */

#if CUDART_VERSION >= 13000 /* since CUDA 13 a place is a struct, and a prefetch has flags */
static const cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
static const cudaMemLocation host = {cudaMemLocationTypeHost, 0};
#define TO_DEVICE device, 0
#define TO_HOST host, 0
#else
static const int device = 0, host = cudaCpuDeviceId;
#define TO_DEVICE device
#define TO_HOST host
#endif

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

static const char *refuse(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;
    static char reason[128];
    const double wanted = 2.0 * (double)p->n * sizeof(float);
    size_t available, all;
    int together;

    CUDA(cudaDeviceGetAttribute(&together, cudaDevAttrConcurrentManagedAccess, 0));
    if (!together)
        return "the device cannot share managed memory while it works";
    CUDA(cudaMemGetInfo(&available, &all));
    if (wanted <= (double)available || getenv("RUNGS_OVERSUBSCRIBE") != NULL)
        return NULL;
    snprintf(reason, sizeof reason,
             "needs %.1f GiB of managed memory, the device has %.1f free; see --oversubscribe",
             wanted / (1 << 30), (double)available / (1 << 30));
    return reason;
}

static void prepare_managed(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;
    const size_t tiles = tiles_of(p->n, TILE);

    CUDA(cudaMallocManaged(&m_x, tiles * TILE * sizeof *m_x));
    CUDA(cudaMallocManaged(&m_kept, (p->n + 1) * sizeof *m_kept)); /* one more: an allocation of 0 bytes fails */
    CUDA(cudaMalloc(&d_places, tiles * sizeof *d_places));
    CUDA(cudaMalloc(&d_count, sizeof *d_count));
    memset(m_x + p->n, 0xff, (tiles * TILE - p->n) * sizeof *m_x); /* NaN up to a whole tile */
}

/* Puts x in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;

#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->n; i++)
        m_x[i] = p->x[i];
}

static void run(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;
    const size_t tiles = tiles_of(p->n, TILE);

    CUDA(cudaMemPrefetchAsync(m_x, tiles * TILE * sizeof *m_x, TO_DEVICE, 0));
    count_tiles<<<(unsigned)tiles, THREADS>>>(m_x, d_places);
    CUDA(cudaGetLastError());
    add_up<<<1, ADDERS>>>(tiles, d_places, d_count);
    CUDA(cudaGetLastError());
    pack_tiles<<<(unsigned)tiles, THREADS>>>(m_x, d_places, m_kept);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(p->count, d_count, sizeof *d_count, cudaMemcpyDeviceToHost));
    if (*p->count == 0)
        return;
    CUDA(cudaMemPrefetchAsync(m_kept, *p->count * sizeof *m_kept, TO_HOST, 0));
    CUDA(cudaDeviceSynchronize());
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < *p->count; i++)
        p->kept[i] = m_kept[i];
}

static void release_managed(void)
{
    CUDA(cudaFree(m_x));
    CUDA(cudaFree(m_kept));
    CUDA(cudaFree(d_places));
    CUDA(cudaFree(d_count));
}

VARIANT(.idea = "pointers for both sides; only kept pages come back",
        .base = "cuda_warp",
        .device = &device_gpu,
        .refuse = refuse,
        .prepare = prepare_managed,
        .reset = reset,
        .run = run,
        .release = release_managed)
