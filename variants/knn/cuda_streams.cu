/*
 * knn / cuda_streams
 *
 * Idea     Copy and compute at the same time.  Chunks of observations take turns, each in a stream
 *          of its own: while one is answered, the next comes in and the last goes out.  The copy
 *          engines do all that unattended, as the arrays are page-locked.
 * Against  cuda_shared, the same kernel, where everything waits for the whole copy before it.
 * Expect   Compare end to end: all of it is in `run`.  Bound by the kernel, once there are some
 *          thousand references: behind it, all copies can hide but the first and the last.
 * Try      SLOTS = 1: nothing overlaps, and the device is idle while it copies.  And n = 64: what
 *          remains when there is little to compute?
 * Level    2
 * Read     cuda_kernel.h
 */
#include "common/cuda.h"
#include "common/knn.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* nearest, TILE */

enum {
    CHUNK = 1 << 16, /* answers; their indices are 256 KiB, enough for nearly the bus's full rate */
    SLOTS = 4        /* chunks: one on its way in, two in work, one on its way out */
};

static struct slot {
    float *d_lat, *d_lon, *d_distance;
    uint32_t *d_index;
    cudaStream_t stream;
} slots[SLOTS];
static float *d_ref_lat, *d_ref_lon;
static size_t chunk;    /* observations */
static void *locked[4]; /* arrays of the problem, page-locked; NULL: none, or it cannot be */

__global__ static void knn_streams(size_t m, size_t n, size_t k, const float *obs_lat,
                                   const float *obs_lon, const float *ref_lat, const float *ref_lon,
                                   uint32_t *index, float *distance)
{
    nearest(m, n, k, obs_lat, obs_lon, ref_lat, ref_lon, index, distance);
}

static void *lock(const void *array, size_t bytes, unsigned flags)
{
    if (bytes > 0 && cudaHostRegister((void *)array, bytes, flags) == cudaSuccess)
        return (void *)array;
    (void)cudaGetLastError(); /* takes note of the error, so that nobody else stumbles upon it */
    return NULL; /* copies are right all the same, and nothing overlaps */
}

static void prepare(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    const size_t answers = p->m * p->k;

    locked[0] = lock(p->obs_lat, p->m * sizeof(float), cudaHostRegisterReadOnly);
    locked[1] = lock(p->obs_lon, p->m * sizeof(float), cudaHostRegisterReadOnly);
    locked[2] = lock(p->index, answers * sizeof(uint32_t), cudaHostRegisterDefault);
    locked[3] = lock(p->distance, answers * sizeof(float), cudaHostRegisterDefault);
    CUDA(cudaMalloc(&d_ref_lat, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_ref_lon, p->n * sizeof(float)));
    chunk = p->k < CHUNK ? CHUNK / p->k : 1;
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        CUDA(cudaMalloc(&s->d_lat, chunk * sizeof(float)));
        CUDA(cudaMalloc(&s->d_lon, chunk * sizeof(float)));
        CUDA(cudaMalloc(&s->d_index, chunk * p->k * sizeof(uint32_t)));
        CUDA(cudaMalloc(&s->d_distance, chunk * p->k * sizeof(float)));
        CUDA(cudaStreamCreate(&s->stream));
    }
}

/* All that is to be done with observations i .. i+count-1, into a slot's stream */
static void start(const struct knn *p, size_t i, size_t count, const struct slot *s)
{
    const unsigned blocks = (unsigned)((count + TILE - 1) / TILE);
    const size_t bytes = count * sizeof(float), answers = count * p->k;

    CUDA(cudaMemcpyAsync(s->d_lat, p->obs_lat + i, bytes, cudaMemcpyHostToDevice, s->stream));
    CUDA(cudaMemcpyAsync(s->d_lon, p->obs_lon + i, bytes, cudaMemcpyHostToDevice, s->stream));
    knn_streams<<<blocks, TILE, 0, s->stream>>>(count, p->n, p->k, s->d_lat, s->d_lon, d_ref_lat,
                                                d_ref_lon, s->d_index, s->d_distance);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpyAsync(p->index + i * p->k, s->d_index, answers * sizeof(uint32_t),
                         cudaMemcpyDeviceToHost, s->stream));
    CUDA(cudaMemcpyAsync(p->distance + i * p->k, s->d_distance, answers * sizeof(float),
                         cudaMemcpyDeviceToHost, s->stream));
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    CUDA(cudaMemcpy(d_ref_lat, p->ref_lat, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_ref_lon, p->ref_lon, p->n * sizeof(float), cudaMemcpyHostToDevice));
    /* A stream does one thing after another, so no slot is filled again before it is done with. */
    for (size_t i = 0; i < p->m; i += chunk)
        start(p, i, p->m - i < chunk ? p->m - i : chunk, &slots[i / chunk % SLOTS]);
    CUDA(cudaDeviceSynchronize()); /* until then, all of this was only asked for */
}

static void release(void)
{
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        CUDA(cudaStreamDestroy(s->stream));
        CUDA(cudaFree(s->d_lat));
        CUDA(cudaFree(s->d_lon));
        CUDA(cudaFree(s->d_index));
        CUDA(cudaFree(s->d_distance));
    }
    CUDA(cudaFree(d_ref_lat));
    CUDA(cudaFree(d_ref_lon));
    for (void *array : locked)
        if (array != NULL)
            CUDA(cudaHostUnregister(array));
}

VARIANT(.idea = "chunks in streams: copies both ways and kernels overlap",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_FAST,
        .prepare = prepare,
        .run = run,
        .release = release)
