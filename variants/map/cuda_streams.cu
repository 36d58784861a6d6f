/*
 * map / cuda_streams
 *
 * Idea     The bus is the limit, so use it in both directions at once.  Chunks take turns, each in a stream of its own: while one is
 *          computed, the next comes in and the one before goes out.
 * Against  cuda_pinned: all copies in, then the kernel, then the copy out.
 * Expect   End to end the time of 8 bytes per element on their way in, for suppress of 2.  The way out and the kernel hide behind it.
 * Try      SLOTS = 1: nothing overlaps.  CHUNK = 2^18: too many launches.
 * Level    2
 * Read     sine.h, payne_hanek.h, cuda_functions.h, cuda_sine.h, cuda_tile.h, cuda_locked.h
 */
#include "common/variant.h"
#include "cuda_locked.h"
#include "cuda_sine.h" /* trig, windows_upload */
#include "cuda_tile.h" /* map_tile */

enum {
    CHUNK = 8 << 20, /* bytes of each array: long enough for the bus's full rate */
    SLOTS = 4        /* chunks: two on their way in, one being computed, one on its way out */
};

static struct slot {
    void *d_x, *d_y, *d_z;
    cudaStream_t stream;
} slots[SLOTS];

template <class F> __global__ static void map_streams(size_t n, F f, const void *x, const void *y, void *z)
{
    map_tile(n, f, x, y, z);
}

static void prepare(const void *problem)
{
    windows_upload();
    lock_arrays((const struct map *)problem, cudaHostRegisterDefault);
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        CUDA(cudaMalloc(&s->d_x, CHUNK));
        CUDA(cudaMalloc(&s->d_y, CHUNK));
        CUDA(cudaMalloc(&s->d_z, CHUNK));
        CUDA(cudaStreamCreate(&s->stream));
    }
}

/* A stream works in order, so a slot is not filled again before its last copy has ended. */
template <class F> static void give_chunks(const struct map *p, F f)
{
    const struct arrays host = arrays_of(p);
    const size_t each = CHUNK / host.element;

    for (size_t first = 0; first < p->n; first += each) {
        const struct slot *s = &slots[first / each % SLOTS];
        const size_t n = p->n - first < each ? p->n - first : each, bytes = n * host.element, at = first * host.element;

        CUDA(cudaMemcpyAsync(s->d_x, (const char *)host.x + at, bytes, cudaMemcpyHostToDevice, s->stream));
        if (host.y != NULL)
            CUDA(cudaMemcpyAsync(s->d_y, (const char *)host.y + at, bytes, cudaMemcpyHostToDevice, s->stream));
        map_streams<<<tile_blocks(f, n), TILE_THREADS, 0, s->stream>>>(n, f, s->d_x, s->d_y, s->d_z);
        CUDA(cudaGetLastError());
        CUDA(cudaMemcpyAsync((char *)host.z + at, s->d_z, bytes, cudaMemcpyDeviceToHost, s->stream));
    }
}

static void run(const void *problem)
{
    const struct map *p = (const struct map *)problem;

    for_function(p, trig(), [=](auto f) { give_chunks(p, f); });
    CUDA(cudaDeviceSynchronize()); /* the calls above only queued work */
}

static void release(void)
{
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        CUDA(cudaStreamDestroy(s->stream));
        CUDA(cudaFree(s->d_x));
        CUDA(cudaFree(s->d_y));
        CUDA(cudaFree(s->d_z));
    }
    unlock_arrays();
}

VARIANT(.idea = "chunks in streams: copies both ways and kernels overlap",
        .base = "cuda_pinned",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .run = run,
        .release = release)
