/*
 * axxat / cuda_managed
 *
 * Idea     Managed memory: one pointer that is valid on host and device, and pages that move between them.  Two hints: A
 *          and X go to the device before the kernel (prefetch), and Y stays in host memory (advice), where the device
 *          writes it across the bus, once.
 * Against  cuda_shared, the same kernel with separate memory on each side and copies between them.
 * Expect   Compare end to end: all of it is in `run`.  Prefetched pages move in large pieces, faster than a copy from
 *          ordinary memory; the kernel takes as long as before.  `reset` puts A and X in host memory, untimed.
 * Try      Leave out the prefetches and the advice: that is cuda_unified, where the device cannot read ordinary memory.
 * Level    2
 * Read     cuda_kernel.h
 */
#include <string.h>

#include "common/axxat.h"
#include "common/cuda.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* both_sums, tiles_in, TILE, STEP */

/* Since CUDA 13 a place is a struct, and a prefetch has flags; before, a place was a number. */
#if CUDART_VERSION >= 13000
static const struct cudaMemLocation gpu = {cudaMemLocationTypeDevice, 0};
static const struct cudaMemLocation host = {cudaMemLocationTypeHost, 0};
#define TO(place) place, 0
#else
static const int gpu = 0, host = cudaCpuDeviceId;
#define TO(place) place
#endif

static float *m_a, *m_x, *m_y; /* m_: managed */

/* One float more than needed: an allocation of 0 bytes fails. */
static size_t bytes_of(const struct axxat *p)
{
    return (p->n * p->n + 1) * sizeof(float);
}

__global__ static void axxat_managed(size_t n, const float *a, const float *x, float *y)
{
    both_sums(n, blockIdx.y * TILE, blockIdx.x * TILE, a, x, y);
}

static const char *refuse(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;
    const size_t needed = 3 * bytes_of(p);
    size_t left, all;
    int moves_pages;
    static char why[128];

    CUDA(cudaDeviceGetAttribute(&moves_pages, cudaDevAttrConcurrentManagedAccess, 0));
    if (!moves_pages)
        return "managed memory takes no hints on this device";
    CUDA(cudaMemGetInfo(&left, &all));
    if (needed <= left || getenv("RUNGS_OVERSUBSCRIBE") != NULL)
        return NULL;
    snprintf(why, sizeof why,
             "needs %.1f GiB of managed memory, the device has %.1f free; see --oversubscribe",
             (double)needed / (1 << 30), (double)left / (1 << 30));
    return why;
}

static void prepare(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;

    CUDA(cudaMallocManaged(&m_a, bytes_of(p)));
    CUDA(cudaMallocManaged(&m_x, bytes_of(p)));
    CUDA(cudaMallocManaged(&m_y, bytes_of(p)));
    CUDA(cudaMemAdvise(m_y, bytes_of(p), cudaMemAdviseSetPreferredLocation, host));
    CUDA(cudaMemAdvise(m_y, bytes_of(p), cudaMemAdviseSetAccessedBy, gpu)); /* mapped */
}

/* Puts A and X in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;

    memcpy(m_a, p->a, p->n * p->n * sizeof(float));
    memcpy(m_x, p->x, p->n * p->n * sizeof(float));
}

static void run(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;
    const unsigned tiles = tiles_in(p->n);

    if (tiles == 0)
        return;
    CUDA(cudaMemPrefetchAsync(m_a, bytes_of(p), TO(gpu), 0));
    CUDA(cudaMemPrefetchAsync(m_x, bytes_of(p), TO(gpu), 0));
    axxat_managed<<<dim3(tiles, tiles), dim3(TILE, STEP)>>>(p->n, m_a, m_x, m_y);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize()); /* before the host reads what the kernel has written */
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->n; i++)
        memcpy(p->y + i * p->n, m_y + i * p->n, p->n * sizeof(float));
}

static void release(void)
{
    CUDA(cudaFree(m_a));
    CUDA(cudaFree(m_x));
    CUDA(cudaFree(m_y));
}

VARIANT(.idea = "one pointer for both sides, with hints: prefetch and advice",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .reset = reset,
        .run = run,
        .release = release)
