/*
 * knn / cuda_staged
 *
 * Idea     Copies overlap with kernels although the user's memory is not page-locked.  Host threads
 *          copy chunks of observations into small page-locked buffers and chunks of answers out of
 *          them, while other chunks are answered.
 * Against  cuda_streams, which page-locks the arrays themselves.  Here only the buffers are locked,
 *          so the user's arrays may be used once.
 * Expect   Compare end to end: all of it is in `run`.  The time of cuda_streams: bound by the
 *          kernel.  With few references, bound by the threads' copies and the bus.
 * Try      n = 64 and m = 2^22: what is the bottleneck with 1, 2, 4 threads (STAGE_THREADS in
 *          common/staging.h)?
 * Level    2
 * Read     cuda_kernel.h
 */
#include "common/knn.h"
#include "common/staging.h" /* stage_open, stage_run, stage_close, stage_stream */
#include "common/variant.h"
#include "cuda_kernel.h" /* nearest, TILE */

#ifndef CHUNK_LOG
#define CHUNK_LOG 16
#endif
enum { CHUNK = 1 << CHUNK_LOG }; /* answers: half a MiB of indices and distances */

static float *d_ref_lat, *d_ref_lon;
static size_t chunk; /* observations */

__global__ static void knn_staged(size_t m, size_t n, size_t k, const float *obs_lat,
                                  const float *obs_lon, const float *ref_lat, const float *ref_lon,
                                  uint32_t *index, float *distance)
{
    nearest(m, n, k, obs_lat, obs_lon, ref_lat, ref_lon, index, distance);
}

static void prepare(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    chunk = p->k < CHUNK ? CHUNK / p->k : 1;
    chunk = p->m < chunk ? p->m : chunk;
    CUDA(cudaMalloc(&d_ref_lat, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_ref_lon, p->n * sizeof(float)));
    stage_open(2 * chunk * sizeof(float), chunk * p->k * (sizeof(uint32_t) + sizeof(float)));
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    auto length = [=](size_t i) { return p->m - i * chunk < chunk ? p->m - i * chunk : chunk; };
    auto send = [=](size_t i, const struct stage *s) {
        const size_t count = length(i), bytes = count * sizeof(float), answers = count * p->k;
        const float *d_lat = (const float *)s->d_up, *d_lon = d_lat + count;
        uint32_t *d_index = (uint32_t *)s->d_down;
        float *d_distance = (float *)(d_index + answers);

        memcpy(s->up, p->obs_lat + i * chunk, bytes);
        memcpy(s->up + bytes, p->obs_lon + i * chunk, bytes);
        CUDA(cudaMemcpyAsync(s->d_up, s->up, 2 * bytes, cudaMemcpyHostToDevice, s->stream));
        knn_staged<<<(unsigned)((count + TILE - 1) / TILE), TILE, 0, s->stream>>>(
            count, p->n, p->k, d_lat, d_lon, d_ref_lat, d_ref_lon, d_index, d_distance);
        CUDA(cudaGetLastError());
        CUDA(cudaMemcpyAsync(s->down, s->d_down, answers * (sizeof(uint32_t) + sizeof(float)),
                             cudaMemcpyDeviceToHost, s->stream));
    };
    auto take = [=](size_t i, const struct stage *s) {
        const size_t answers = length(i) * p->k;
        const uint32_t *index = (const uint32_t *)s->down;

        stage_stream(p->index + i * chunk * p->k, index, answers * sizeof(uint32_t));
        stage_stream(p->distance + i * chunk * p->k, index + answers, answers * sizeof(float));
    };
    /* The references are few.  These copies end before the streams' work begins. */
    CUDA(cudaMemcpy(d_ref_lat, p->ref_lat, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_ref_lon, p->ref_lon, p->n * sizeof(float), cudaMemcpyHostToDevice));
    stage_run(chunk > 0 ? (p->m + chunk - 1) / chunk : 0, send, take);
}

static void release(void)
{
    stage_close();
    CUDA(cudaFree(d_ref_lat));
    CUDA(cudaFree(d_ref_lon));
}

VARIANT(.idea = "ordinary memory: threads copy through small page-locked buffers",
        .base = "cuda_streams",
        .device = &device_gpu,
        .math = MATH_FAST,
        .prepare = prepare,
        .run = run,
        .release = release)
