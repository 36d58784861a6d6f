/*
 * knn / cuda_unified
 *
 * Idea     One pointer and not a word to the runtime: the kernel touches the case's own arrays,
 *          where the device can read ordinary memory.  Elsewhere managed memory stands in for them.
 * Against  cuda_managed, which says in time where pages will be wanted.
 * Expect   Compare end to end: all of it is in `run`; the points start at home.  Each page that is not there stops a warp
 *          until the driver has fetched it or reads it over the bus.  Here, thousands of pairs are
 *          computed for each coordinate fetched: unlike in saxpy, there is much to hide the waiting
 *          behind.
 * Try      n = 64 and n = 2^14, for the same m: when does it show?
 * Level    2
 * Read     cuda_kernel.h
 */
#include <string.h>

#include "common/cuda.h"
#include "common/knn.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* nearest, TILE */

static int reads_ordinary_memory; /* does the device? */

/* Managed, if it does not; else NULL. */
static float *m_obs_lat, *m_obs_lon, *m_ref_lat, *m_ref_lon, *m_distance;
static uint32_t *m_index;

__global__ static void knn_unified(size_t m, size_t n, size_t k, const float *obs_lat,
                                   const float *obs_lon, const float *ref_lat, const float *ref_lon,
                                   uint32_t *index, float *distance)
{
    nearest(m, n, k, obs_lat, obs_lon, ref_lat, ref_lon, index, distance);
}

/* One more than needed: managed memory of no bytes at all is refused.  Numbers are 4 bytes each. */
static size_t bytes_of(size_t numbers)
{
    return (numbers + 1) * sizeof(float);
}

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    size_t needed = 2 * (bytes_of(p->m) + bytes_of(p->n) + bytes_of(p->m * p->k));
    size_t left, all;
    static char why[128];

    CUDA(cudaDeviceGetAttribute(&reads_ordinary_memory, cudaDevAttrPageableMemoryAccess, 0));
    CUDA(cudaMemGetInfo(&left, &all));
    if (reads_ordinary_memory || needed <= left || getenv("RUNGS_OVERSUBSCRIBE") != NULL)
        return NULL;
    snprintf(why, sizeof why,
             "needs %.1f GiB of managed memory, the device has %.1f free; see --oversubscribe",
             (double)needed / (1 << 30), (double)left / (1 << 30));
    return why;
}

static void prepare(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    if (reads_ordinary_memory)
        return;
    CUDA(cudaMallocManaged(&m_obs_lat, bytes_of(p->m)));
    CUDA(cudaMallocManaged(&m_obs_lon, bytes_of(p->m)));
    CUDA(cudaMallocManaged(&m_ref_lat, bytes_of(p->n)));
    CUDA(cudaMallocManaged(&m_ref_lon, bytes_of(p->n)));
    CUDA(cudaMallocManaged(&m_index, bytes_of(p->m * p->k)));
    CUDA(cudaMallocManaged(&m_distance, bytes_of(p->m * p->k)));
}

/* The points at home: pages that the host writes come back to it. */
static void reset(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    if (reads_ordinary_memory)
        return;
    memcpy(m_obs_lat, p->obs_lat, p->m * sizeof(float));
    memcpy(m_obs_lon, p->obs_lon, p->m * sizeof(float));
    memcpy(m_ref_lat, p->ref_lat, p->n * sizeof(float));
    memcpy(m_ref_lon, p->ref_lon, p->n * sizeof(float));
}

/* The answers to p, whose arrays the device can touch. */
static void answer(struct knn p)
{
    size_t blocks = (p.m + TILE - 1) / TILE;

    if (blocks == 0)
        return;
    knn_unified<<<(unsigned)blocks, TILE>>>(p.m, p.n, p.k, p.obs_lat, p.obs_lon, p.ref_lat,
                                            p.ref_lon, p.index, p.distance);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize()); /* before the host touches what the kernel has written */
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    if (reads_ordinary_memory) {
        answer(*p);
        return;
    }
    answer({p->m, p->n, p->k, m_obs_lat, m_obs_lon, m_ref_lat, m_ref_lon, m_index, m_distance});
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->m * p->k; i++) {
        p->index[i] = m_index[i];
        p->distance[i] = m_distance[i];
    }
}

static void release(void)
{
    CUDA(cudaFree(m_obs_lat)); /* NULL, which is none, if it never was allocated */
    CUDA(cudaFree(m_obs_lon));
    CUDA(cudaFree(m_ref_lat));
    CUDA(cudaFree(m_ref_lon));
    CUDA(cudaFree(m_index));
    CUDA(cudaFree(m_distance));
    m_obs_lat = m_obs_lon = m_ref_lat = m_ref_lon = m_distance = NULL;
    m_index = NULL;
}

VARIANT(.idea = "one pointer and no hints: pages move when touched",
        .base = "cuda_managed",
        .device = &device_gpu,
        .math = MATH_FAST,
        .refuse = refuse,
        .prepare = prepare,
        .reset = reset,
        .run = run,
        .release = release)
