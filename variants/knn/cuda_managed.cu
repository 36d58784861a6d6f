/*
 * knn / cuda_managed
 *
 * Idea     Managed memory: one pointer, good on both sides, and pages that move between them.  We
 *          say beforehand which go where (prefetch): the points to the device, the answers, which
 *          live there (advice), to the host.
 * Against  cuda_shared, the same kernel with memory and copies of its own on each side.
 * Expect   Compare end to end: all of it is in `run`.  Told in time, pages move in large pieces,
 *          faster than a copy from ordinary memory; the kernel does not change.  The points begin
 *          at home, which is where `reset` puts them, untimed.
 * Try      Leave out the prefetches: that is cuda_unified on most machines.
 * Level    2
 * Read     cuda_kernel.h
 */
#include <string.h>

#include "common/cuda.h"
#include "common/knn.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* nearest, TILE */

/* Since CUDA 13 a place is a struct, and prefetches take flags; before, it was a number. */
#if CUDART_VERSION >= 13000
static const struct cudaMemLocation gpu = {cudaMemLocationTypeDevice, 0};
static const struct cudaMemLocation host = {cudaMemLocationTypeHost, 0};
#define TO(place) place, 0
#else
static const int gpu = 0, host = cudaCpuDeviceId;
#define TO(place) place
#endif

/* Managed, as all that begins with m_. */
static float *m_obs_lat, *m_obs_lon, *m_ref_lat, *m_ref_lon, *m_distance;
static uint32_t *m_index;

__global__ static void knn_managed(size_t m, size_t n, size_t k, const float *obs_lat,
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

static float *input(size_t numbers)
{
    float *m_input;

    CUDA(cudaMallocManaged(&m_input, bytes_of(numbers)));
    return m_input;
}

static void prepare(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    size_t answers = bytes_of(p->m * p->k);

    m_obs_lat = input(p->m);
    m_obs_lon = input(p->m);
    m_ref_lat = input(p->n);
    m_ref_lon = input(p->n);
    CUDA(cudaMallocManaged(&m_index, answers));
    CUDA(cudaMallocManaged(&m_distance, answers));
    CUDA(cudaMemAdvise(m_index, answers, cudaMemAdviseSetPreferredLocation, gpu));
    CUDA(cudaMemAdvise(m_distance, answers, cudaMemAdviseSetPreferredLocation, gpu));
}

/* The points at home: pages that the host writes come back to it.  The answers on the device, which
   goes through its list of them for every reference. */
static void reset(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    memcpy(m_obs_lat, p->obs_lat, p->m * sizeof(float));
    memcpy(m_obs_lon, p->obs_lon, p->m * sizeof(float));
    memcpy(m_ref_lat, p->ref_lat, p->n * sizeof(float));
    memcpy(m_ref_lon, p->ref_lon, p->n * sizeof(float));
    CUDA(cudaMemPrefetchAsync(m_index, bytes_of(p->m * p->k), TO(gpu), 0));
    CUDA(cudaMemPrefetchAsync(m_distance, bytes_of(p->m * p->k), TO(gpu), 0));
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    size_t blocks = (p->m + TILE - 1) / TILE;

    if (blocks == 0)
        return;
    CUDA(cudaMemPrefetchAsync(m_obs_lat, bytes_of(p->m), TO(gpu), 0));
    CUDA(cudaMemPrefetchAsync(m_obs_lon, bytes_of(p->m), TO(gpu), 0));
    CUDA(cudaMemPrefetchAsync(m_ref_lat, bytes_of(p->n), TO(gpu), 0));
    CUDA(cudaMemPrefetchAsync(m_ref_lon, bytes_of(p->n), TO(gpu), 0));
    knn_managed<<<(unsigned)blocks, TILE>>>(p->m, p->n, p->k, m_obs_lat, m_obs_lon, m_ref_lat,
                                            m_ref_lon, m_index, m_distance);
    CUDA(cudaGetLastError());
    CUDA(cudaMemPrefetchAsync(m_index, bytes_of(p->m * p->k), TO(host), 0));
    CUDA(cudaMemPrefetchAsync(m_distance, bytes_of(p->m * p->k), TO(host), 0));
    CUDA(cudaDeviceSynchronize()); /* before the host touches what the kernel has written */
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->m * p->k; i++) {
        p->index[i] = m_index[i];
        p->distance[i] = m_distance[i];
    }
}

static void release(void)
{
    CUDA(cudaFree(m_obs_lat));
    CUDA(cudaFree(m_obs_lon));
    CUDA(cudaFree(m_ref_lat));
    CUDA(cudaFree(m_ref_lon));
    CUDA(cudaFree(m_index));
    CUDA(cudaFree(m_distance));
}

VARIANT(.idea = "one pointer for both sides, with prefetch and advice",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_FAST,
        .refuse = refuse,
        .prepare = prepare,
        .reset = reset,
        .run = run,
        .release = release)
