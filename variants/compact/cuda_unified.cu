/*
 * compact / cuda_unified
 *
 * Idea     One pointer and no hints.  Where the device can read any host memory, the kernels get the problem's own arrays.
 *          Elsewhere it is managed memory.  Either way a page moves when a thread touches it.
 * Against  cuda_managed, which prefetches.
 * Expect   Far below the bus's rate: pages come one fault after another.  Pages behind the count never move.
 * Try      cudaMemPrefetchAsync(m_x, ...) before the first launch.
 * Level    2
 * Read     cuda_add_up.h, cuda_buffers.h, cuda_strip.h
 */
#include "cuda_add_up.h"
#include "cuda_strip.h" /* strip_vote, block_places, strip_store */

enum { WARPS = 8, ROUNDS = 16, STRIP = ROUNDS * 32, TILE = WARPS * STRIP, THREADS = WARPS * 32 };

static float *m_x, *m_kept; /* managed; NULL where the device reads any memory */
static uint64_t *d_places;  /* [tiles] first the counts of the tiles, then where they go */

static bool any_memory(void)
{
    int yes;

    CUDA(cudaDeviceGetAttribute(&yes, cudaDevAttrPageableMemoryAccess, 0));
    return yes;
}

/* Loads the strip that begins at x[first]; behind x[n - 1] there is NaN. */
__device__ static strip<ROUNDS> load_below(size_t n, const float *x, size_t first)
{
    strip<ROUNDS> s;

#pragma unroll
    for (int r = 0; r < ROUNDS; r++) {
        const size_t i = first + r * 32 + threadIdx.x % 32;
        s.value[r] = i < n ? x[i] : __int_as_float(0x7fffffff);
    }
    strip_vote(&s);
    return s;
}

__global__ static void count_tiles(size_t n, const float *x, uint64_t *counts)
{
    const unsigned warp = threadIdx.x / 32;
    const strip<ROUNDS> s = load_below(n, x, (size_t)blockIdx.x * TILE + warp * STRIP);
    const places p = block_places<WARPS>(s.count);

    if (threadIdx.x == 0)
        counts[blockIdx.x] = p.all;
}

__global__ static void pack_tiles(size_t n, const float *x, const uint64_t *to, float *kept)
{
    const unsigned warp = threadIdx.x / 32;
    const strip<ROUNDS> s = load_below(n, x, (size_t)blockIdx.x * TILE + warp * STRIP);
    const places p = block_places<WARPS>(s.count);

    strip_store(s, kept + to[blockIdx.x] + p.before);
}

static const char *refuse(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;
    static char reason[128];
    const double wanted = 2.0 * (double)p->n * sizeof(float);
    size_t available, all;

    CUDA(cudaMemGetInfo(&available, &all));
    if (any_memory() || wanted <= (double)available || getenv("RUNGS_OVERSUBSCRIBE") != NULL)
        return NULL;
    snprintf(reason, sizeof reason,
             "needs %.1f GiB of managed memory, the device has %.1f free; see --oversubscribe",
             wanted / (1 << 30), (double)available / (1 << 30));
    return reason;
}

static void prepare_unified(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;
    const size_t bytes = (p->n + 1) * sizeof *m_x; /* one more: an allocation of 0 bytes fails */

    CUDA(cudaMalloc(&d_places, tiles_of(p->n, TILE) * sizeof *d_places));
    CUDA(cudaMalloc(&d_count, sizeof *d_count));
    m_x = m_kept = NULL;
    if (any_memory())
        return;
    CUDA(cudaMallocManaged(&m_x, bytes));
    CUDA(cudaMallocManaged(&m_kept, bytes));
}

/* Puts x in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;

    if (m_x == NULL)
        return;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->n; i++)
        m_x[i] = p->x[i];
}

/* Returns the count. */
static uint64_t pack(size_t n, const float *x, float *kept)
{
    const size_t tiles = tiles_of(n, TILE);
    uint64_t count;

    count_tiles<<<(unsigned)tiles, THREADS>>>(n, x, d_places);
    CUDA(cudaGetLastError());
    add_up<<<1, ADDERS>>>(tiles, d_places, d_count);
    CUDA(cudaGetLastError());
    pack_tiles<<<(unsigned)tiles, THREADS>>>(n, x, d_places, kept);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(&count, d_count, sizeof count, cudaMemcpyDeviceToHost));
    CUDA(cudaDeviceSynchronize()); /* before that, the host must not read what the kernels wrote */
    return count;
}

static void run(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;

    if (m_x == NULL) {
        *p->count = pack(p->n, p->x, p->kept);
        return;
    }
    *p->count = pack(p->n, m_x, m_kept);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < *p->count; i++)
        p->kept[i] = m_kept[i];
}

static void release_unified(void)
{
    CUDA(cudaFree(m_x));
    CUDA(cudaFree(m_kept));
    CUDA(cudaFree(d_places));
    CUDA(cudaFree(d_count));
}

VARIANT(.idea = "one pointer, no hints: pages move when touched",
        .base = "cuda_managed",
        .device = &device_gpu,
        .refuse = refuse,
        .prepare = prepare_unified,
        .reset = reset,
        .run = run,
        .release = release_unified)
