/*
 * saxpy / cuda_streams
 *
 * Idea     The bus is the bottleneck, so use it in both directions at once.  Chunks take turns,
 *          each in its own stream: while one is computed, the next comes in and the one before goes
 *          out.  The copy engines need no help from the host, because the arrays are page-locked.
 * Against  cuda_pinned: all copies in, then the kernel, then the copy out.
 * Expect   End to end: the time of 8 bytes per element on their way in.  The 4 bytes out and the
 *          kernel hide behind it, except for the first chunk's way in and the last one's way out.
 * Try      SLOTS = 1: nothing overlaps.  CHUNK = 2^16: too many launches; 2^24: too long a start.
 * Level    2
 * Read     nothing else
 */
#include "common/cuda.h"
#include "common/saxpy.h"
#include "common/variant.h"

static const int threads = 256;

enum {
    CHUNK = 1 << 21, /* elements: 8 MiB of each array, long enough for the bus's full rate */
    BYTES = CHUNK * sizeof(float),
    SLOTS = 4 /* chunks: two on their way in, one being computed, one on its way out */
};

static struct slot {
    float *d_x, *d_y, *d_z;
    cudaStream_t stream;
} slots[SLOTS];

static void *locked[3]; /* arrays of the problem, page-locked; NULL: empty, or not lockable */

__global__ static void saxpy_streams(size_t n, float a, const float *x, const float *y, float *z)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        z[i] = a * x[i] + y[i];
}

static void *lock(const float *array, size_t bytes, unsigned flags)
{
    if (bytes > 0 && cudaHostRegister((void *)array, bytes, flags) == cudaSuccess)
        return (void *)array;
    (void)cudaGetLastError(); /* clears the error: no later check must report it */
    return NULL; /* copies still work, but do not overlap */
}

static void prepare(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t bytes = p->n * sizeof(float);

    locked[0] = lock(p->x, bytes, cudaHostRegisterReadOnly); /* the inputs are read-only */
    locked[1] = lock(p->y, bytes, cudaHostRegisterReadOnly);
    locked[2] = lock(p->z, bytes, cudaHostRegisterDefault);
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        CUDA(cudaMalloc(&s->d_x, BYTES));
        CUDA(cudaMalloc(&s->d_y, BYTES));
        CUDA(cudaMalloc(&s->d_z, BYTES));
        CUDA(cudaStreamCreate(&s->stream));
    }
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

    /* A stream works in order, so a slot is not filled again before its last copy has ended. */
    for (size_t first = 0; first < p->n; first += CHUNK) {
        const struct slot *s = &slots[first / CHUNK % SLOTS];
        size_t n = p->n - first < CHUNK ? p->n - first : (size_t)CHUNK, bytes = n * sizeof(float);

        CUDA(cudaMemcpyAsync(s->d_x, p->x + first, bytes, cudaMemcpyHostToDevice, s->stream));
        CUDA(cudaMemcpyAsync(s->d_y, p->y + first, bytes, cudaMemcpyHostToDevice, s->stream));
        saxpy_streams<<<(unsigned)((n + threads - 1) / threads), threads, 0, s->stream>>>(
            n, p->a, s->d_x, s->d_y, s->d_z);
        CUDA(cudaGetLastError());
        CUDA(cudaMemcpyAsync(p->z + first, s->d_z, bytes, cudaMemcpyDeviceToHost, s->stream));
    }
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
    for (void *array : locked)
        if (array != NULL)
            CUDA(cudaHostUnregister(array));
}

VARIANT(.idea = "chunks in streams: copies both ways and kernels overlap",
        .base = "cuda_pinned",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .run = run,
        .release = release)
