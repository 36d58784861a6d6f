/*
 * saxpy / cuda_staged
 *
 * Idea     The rate of page-locked memory, from memory that is not.  Host threads copy chunks of x
 *          and y into small page-locked buffers and chunks of z out of them, while the bus carries
 *          other chunks in both directions.
 * Against  cuda_streams, which page-locks the arrays themselves.  That takes longer than a plain
 *          call, and it needs arrays that are used again.  Here only the buffers are locked.
 * Expect   End to end: the rate of cuda_streams, if the cores copy faster than the bus: 55 GB/s up
 *          takes some five of them, and the way down three.  The buffers are small, so they stay
 *          in the last-level cache, and memory is read once and written once.
 * Try      STAGE_THREADS = 1, 2, 4 (common/staging.h): from how many on is the bus the bottleneck?
 *          memcpy instead of stage_stream: what does it read that it does not need?
 * Level    2
 * Read     nothing else
 */
#include "common/saxpy.h"
#include "common/staging.h" /* stage_open, stage_run, stage_close, stage_stream */
#include "common/variant.h"

static const int threads = 256;

#ifndef CHUNK_LOG
#define CHUNK_LOG 18
#endif
enum { CHUNK = 1 << CHUNK_LOG }; /* elements: 1 MiB of each array */

__global__ static void saxpy_staged(size_t n, float a, const float *x, const float *y, float *z)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        z[i] = a * x[i] + y[i];
}

static void prepare(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t bytes = (p->n < CHUNK ? p->n : (size_t)CHUNK) * sizeof(float);

    stage_open(2 * bytes, bytes);
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

    auto length = [=](size_t chunk) {
        size_t left = p->n - chunk * CHUNK;
        return left < CHUNK ? left : (size_t)CHUNK;
    };
    auto send = [=](size_t chunk, const struct stage *s) {
        size_t n = length(chunk), bytes = n * sizeof(float);
        const float *d_x = (const float *)s->d_up, *d_y = d_x + n;

        memcpy(s->up, p->x + chunk * CHUNK, bytes);
        memcpy(s->up + bytes, p->y + chunk * CHUNK, bytes);
        CUDA(cudaMemcpyAsync(s->d_up, s->up, 2 * bytes, cudaMemcpyHostToDevice, s->stream));
        saxpy_staged<<<(unsigned)((n + threads - 1) / threads), threads, 0, s->stream>>>(
            n, p->a, d_x, d_y, (float *)s->d_down);
        CUDA(cudaGetLastError());
        CUDA(cudaMemcpyAsync(s->down, s->d_down, bytes, cudaMemcpyDeviceToHost, s->stream));
    };
    auto take = [=](size_t chunk, const struct stage *s) {
        stage_stream(p->z + chunk * CHUNK, s->down, length(chunk) * sizeof(float));
    };
    stage_run((p->n + CHUNK - 1) / CHUNK, send, take);
}

static void release(void)
{
    stage_close();
}

VARIANT(.idea = "ordinary memory: threads copy through small page-locked buffers",
        .base = "cuda_streams",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .run = run,
        .release = release)
