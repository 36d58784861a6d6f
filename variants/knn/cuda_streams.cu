/*
 * knn / cuda_streams
 *
 * Idea     Copy and compute at the same time.  Four host threads have a stream and pinned memory
 *          each; a chunk of observations goes over, is answered and comes back, while those of the
 *          other threads are at another stage.
 * Against  cuda_shared, the same kernel, where everything waits for the whole copy before it.
 * Expect   Compare end to end: all of it is in `run`.  Bound by the kernel, once there are some
 *          thousand references: behind it, all copies can hide but the first and the last.
 * Try      STREAMS = 1: nothing overlaps.  And n = 64: what remains when there is little to
 *          compute?
 */
#include <omp.h>
#include <string.h>

#include "common/cuda.h"
#include "common/knn.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* nearest, TILE */

/* CHUNK: answers; their indices are 256 KiB, enough for the bus to be nearly at its best. */
enum { STREAMS = 4, CHUNK = 1 << 16 };

static struct lane {
    cudaStream_t stream;
    float *lat, *lon, *distance; /* pinned, a chunk of each */
    uint32_t *index;             /* pinned */
    float *d_lat, *d_lon, *d_distance;
    uint32_t *d_index;
} lane[STREAMS];
static float *d_ref_lat, *d_ref_lon;
static size_t chunk; /* observations */

__global__ static void knn_streams(size_t m, size_t n, size_t k, const float *obs_lat,
                                   const float *obs_lon, const float *ref_lat, const float *ref_lon,
                                   uint32_t *index, float *distance)
{
    nearest(m, n, k, obs_lat, obs_lon, ref_lat, ref_lon, index, distance);
}

static void prepare(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    chunk = p->k < CHUNK ? CHUNK / p->k : 1;
    chunk = chunk <= p->m ? chunk : p->m + 1; /* never 0 */

    const size_t bytes = chunk * sizeof(float), answers = chunk * p->k;

    CUDA(cudaMalloc(&d_ref_lat, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_ref_lon, p->n * sizeof(float)));
    for (struct lane *at = lane; at < lane + STREAMS; at++) {
        CUDA(cudaStreamCreate(&at->stream));
        CUDA(cudaMallocHost(&at->lat, bytes));
        CUDA(cudaMallocHost(&at->lon, bytes));
        CUDA(cudaMallocHost(&at->index, answers * sizeof(uint32_t)));
        CUDA(cudaMallocHost(&at->distance, answers * sizeof(float)));
        CUDA(cudaMalloc(&at->d_lat, bytes));
        CUDA(cudaMalloc(&at->d_lon, bytes));
        CUDA(cudaMalloc(&at->d_index, answers * sizeof(uint32_t)));
        CUDA(cudaMalloc(&at->d_distance, answers * sizeof(float)));
    }
}

/* Answers observations i .. i+count-1.  This thread waits; meanwhile the others keep the bus and
   the device busy. */
static void answer_chunk(const struct lane *at, const struct knn *p, size_t i, size_t count)
{
    const unsigned blocks = (unsigned)((count + TILE - 1) / TILE);
    const size_t bytes = count * sizeof(float), answers = count * p->k;

    memcpy(at->lat, p->obs_lat + i, bytes);
    memcpy(at->lon, p->obs_lon + i, bytes);
    CUDA(cudaMemcpyAsync(at->d_lat, at->lat, bytes, cudaMemcpyHostToDevice, at->stream));
    CUDA(cudaMemcpyAsync(at->d_lon, at->lon, bytes, cudaMemcpyHostToDevice, at->stream));
    knn_streams<<<blocks, TILE, 0, at->stream>>>(count, p->n, p->k, at->d_lat, at->d_lon, d_ref_lat,
                                                 d_ref_lon, at->d_index, at->d_distance);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpyAsync(at->index, at->d_index, answers * sizeof(uint32_t),
                         cudaMemcpyDeviceToHost, at->stream));
    CUDA(cudaMemcpyAsync(at->distance, at->d_distance, answers * sizeof(float),
                         cudaMemcpyDeviceToHost, at->stream));
    CUDA(cudaStreamSynchronize(at->stream));
    memcpy(p->index + i * p->k, at->index, answers * sizeof(uint32_t));
    memcpy(p->distance + i * p->k, at->distance, answers * sizeof(float));
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    CUDA(cudaMemcpy(d_ref_lat, p->ref_lat, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_ref_lon, p->ref_lon, p->n * sizeof(float), cudaMemcpyHostToDevice));
#pragma omp parallel for num_threads(STREAMS) schedule(dynamic)
    for (size_t i = 0; i < p->m; i += chunk)
        answer_chunk(&lane[omp_get_thread_num()], p, i, p->m - i < chunk ? p->m - i : chunk);
}

static void release(void)
{
    for (struct lane *at = lane; at < lane + STREAMS; at++) {
        CUDA(cudaStreamDestroy(at->stream));
        CUDA(cudaFreeHost(at->lat));
        CUDA(cudaFreeHost(at->lon));
        CUDA(cudaFreeHost(at->index));
        CUDA(cudaFreeHost(at->distance));
        CUDA(cudaFree(at->d_lat));
        CUDA(cudaFree(at->d_lon));
        CUDA(cudaFree(at->d_index));
        CUDA(cudaFree(at->d_distance));
    }
    CUDA(cudaFree(d_ref_lat));
    CUDA(cudaFree(d_ref_lon));
}

VARIANT(.idea = "chunks through pinned memory, copies beside kernels",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_FAST,
        .prepare = prepare,
        .run = run,
        .release = release)
