/*
 * knn / cuda_managed
 *
 * Idea     Managed memory: one pointer, good on both sides, and pages that move between them.  We
 *          say beforehand which go where (prefetch), and that the coordinates are only read
 *          (advice).
 * Against  cuda_shared, the same kernel with memory and copies of its own on each side.
 * Expect   Compare end to end: all of it is in `run`, from the case's arrays and back to
 *          them.  Told in time, pages move in large pieces, about as fast as a copy; the kernel
 *          does not change.
 * Try      Leave out the prefetches: that is cuda_unified on most machines.
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
    CUDA(cudaMemAdvise(m_input, bytes_of(numbers), cudaMemAdviseSetReadMostly, gpu));
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

/* Fills in an input; its pages are on their way while the next is filled in. */
static void send(float *m_input, const float *from, size_t numbers)
{
    memcpy(m_input, from, numbers * sizeof(float));
    CUDA(cudaMemPrefetchAsync(m_input, bytes_of(numbers), TO(gpu), 0));
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    size_t blocks = (p->m + TILE - 1) / TILE, answers = p->m * p->k;

    if (blocks == 0)
        return;
    CUDA(cudaMemPrefetchAsync(m_index, bytes_of(answers), TO(gpu), 0));
    CUDA(cudaMemPrefetchAsync(m_distance, bytes_of(answers), TO(gpu), 0));
    send(m_obs_lat, p->obs_lat, p->m);
    send(m_obs_lon, p->obs_lon, p->m);
    send(m_ref_lat, p->ref_lat, p->n);
    send(m_ref_lon, p->ref_lon, p->n);
    knn_managed<<<(unsigned)blocks, TILE>>>(p->m, p->n, p->k, m_obs_lat, m_obs_lon, m_ref_lat,
                                            m_ref_lon, m_index, m_distance);
    CUDA(cudaGetLastError());
    CUDA(cudaMemPrefetchAsync(m_index, bytes_of(answers), TO(host), 0));
    CUDA(cudaMemPrefetchAsync(m_distance, bytes_of(answers), TO(host), 0));
    CUDA(cudaDeviceSynchronize()); /* before the host touches what the kernel has written */
    memcpy(p->index, m_index, answers * sizeof(uint32_t));
    memcpy(p->distance, m_distance, answers * sizeof(float));
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
        .run = run,
        .release = release)
