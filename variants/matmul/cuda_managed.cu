/*
 * matmul / cuda_managed
 *
 * Idea     Managed memory: one pointer that is valid on host and device, and pages that move
 *          between them.  Two hints: A and B go to the device before the kernel (prefetch), and C
 *          stays in host memory (advice).  The device writes C there across the bus, once.
 * Against  cuda_shared, the same kernel with separate memory on each side and copies between them.
 * Expect   Compare end to end: all of it is in `run`.  Prefetched pages move in large pieces,
 *          faster than a copy from ordinary memory; the kernel takes as long as before.  A and B
 *          begin in host memory, where `reset` puts them, untimed.
 * Try      Leave out the prefetches and the advice: that is cuda_unified, where the device cannot
 *          read ordinary host memory.
 * Level    2
 * Read     cuda_kernel.h
 */
#include <string.h>

#include "common/cuda.h"
#include "common/matmul.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* multiply_tile, TILE, STEP */

/* Since CUDA 13 a place is a struct, and a prefetch has flags; before, a place was a number. */
#if CUDART_VERSION >= 13000
static const struct cudaMemLocation gpu = {cudaMemLocationTypeDevice, 0};
static const struct cudaMemLocation host = {cudaMemLocationTypeHost, 0};
#define TO(place) place, 0
#else
static const int gpu = 0, host = cudaCpuDeviceId;
#define TO(place) place
#endif

static float *m_a, *m_b, *m_c; /* m_: managed */

/* One float more than needed: an allocation of 0 bytes fails. */
static size_t bytes_of(size_t rows, size_t columns)
{
    return (rows * columns + 1) * sizeof(float);
}

__global__ static void matmul_managed(size_t m, size_t n, size_t k, const float *a, const float *b,
                                      float *c)
{
    multiply_tile(m, n, k, a, b, c);
}

static const char *refuse(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    size_t needed = bytes_of(p->m, p->k) + bytes_of(p->k, p->n) + bytes_of(p->m, p->n);
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
    const struct matmul *p = (const struct matmul *)problem;

    CUDA(cudaMallocManaged(&m_a, bytes_of(p->m, p->k)));
    CUDA(cudaMallocManaged(&m_b, bytes_of(p->k, p->n)));
    CUDA(cudaMallocManaged(&m_c, bytes_of(p->m, p->n)));
    CUDA(cudaMemAdvise(m_c, bytes_of(p->m, p->n), cudaMemAdviseSetPreferredLocation, host));
    CUDA(cudaMemAdvise(m_c, bytes_of(p->m, p->n), cudaMemAdviseSetAccessedBy, gpu)); /* mapped */
}

/* Puts A and B in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    memcpy(m_a, p->a, p->m * p->k * sizeof(float));
    memcpy(m_b, p->b, p->k * p->n * sizeof(float));
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    size_t tiles = (p->m + TILE - 1) / TILE * ((p->n + TILE - 1) / TILE);

    if (tiles == 0)
        return;
    CUDA(cudaMemPrefetchAsync(m_a, bytes_of(p->m, p->k), TO(gpu), 0));
    CUDA(cudaMemPrefetchAsync(m_b, bytes_of(p->k, p->n), TO(gpu), 0));
    matmul_managed<<<(unsigned)tiles, dim3(TILE, STEP)>>>(p->m, p->n, p->k, m_a, m_b, m_c);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize()); /* before the host reads what the kernel has written */
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->m; i++)
        memcpy(p->c + i * p->n, m_c + i * p->n, p->n * sizeof(float));
}

static void release(void)
{
    CUDA(cudaFree(m_a));
    CUDA(cudaFree(m_b));
    CUDA(cudaFree(m_c));
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
