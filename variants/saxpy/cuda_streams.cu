/*
 * saxpy / cuda_streams
 *
 * Idea     The bus is the limit, so keep it busy both ways at once.  Chunks take turns, each in a
 *          stream of its own: while one is computed, the next comes in and the last goes out.  The
 *          copy engines need page-locked memory, which ours is not; so all cores carry chunks to
 *          and from page-locked slots meanwhile.
 * Against  cuda_naive: everything in, then everything computed, then everything out.
 * Expect   End to end: 8 bytes an element over the bus, the way in; 4 bytes out and the kernel hide
 *          behind it.  Or the cores' copying, where the host's memory is slower than the bus.
 * Try      SLOTS = 1: nothing overlaps.  CHUNK = 2^16, 2^24: too many launches, too long a start.
 */
#include <string.h>

#include "common/cuda.h"
#include "common/saxpy.h"
#include "common/variant.h"

static const int threads = 256;

enum {
    CHUNK = 1 << 20, /* elements: 4 MiB of each array, long enough for the bus's full rate */
    BYTES = CHUNK * sizeof(float),
    SLOTS = 3,      /* chunks: one on its way in, one on its way out, one in the cores' hands */
    PIECE = 1 << 14 /* elements that a core copies at a time */
};

/* h_ is page-locked memory of the host. */
static struct slot {
    float *h_x, *h_y, *h_z, *d_x, *d_y, *d_z;
    cudaStream_t stream;
} slots[SLOTS];

__global__ static void saxpy_streams(size_t n, float a, const float *x, const float *y, float *z)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        z[i] = a * x[i] + y[i];
}

static void prepare(const void *problem)
{
    (void)problem; /* the slots have one size, whatever the problem's */
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        CUDA(cudaMallocHost(&s->h_x, BYTES));
        CUDA(cudaMallocHost(&s->h_y, BYTES));
        CUDA(cudaMallocHost(&s->h_z, BYTES));
        CUDA(cudaMalloc(&s->d_x, BYTES));
        CUDA(cudaMalloc(&s->d_y, BYTES));
        CUDA(cudaMalloc(&s->d_z, BYTES));
        CUDA(cudaStreamCreate(&s->stream));
    }
}

/* memcpy by all cores: one alone is slower than the bus. */
static void copy(float *to, const float *from, size_t n)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i += PIECE)
        memcpy(to + i, from + i, (n - i < PIECE ? n - i : (size_t)PIECE) * sizeof *to);
}

static size_t length(const struct saxpy *p, size_t chunk)
{
    size_t left = p->n - chunk * CHUNK;

    return left < CHUNK ? left : (size_t)CHUNK;
}

/* A chunk into its slot, and all that is to follow into the slot's stream */
static void start(const struct saxpy *p, size_t chunk, const struct slot *s)
{
    size_t n = length(p, chunk), bytes = n * sizeof(float);

    copy(s->h_x, p->x + chunk * CHUNK, n);
    CUDA(cudaMemcpyAsync(s->d_x, s->h_x, bytes, cudaMemcpyHostToDevice, s->stream));
    copy(s->h_y, p->y + chunk * CHUNK, n);
    CUDA(cudaMemcpyAsync(s->d_y, s->h_y, bytes, cudaMemcpyHostToDevice, s->stream));
    saxpy_streams<<<(unsigned)((n + threads - 1) / threads), threads, 0, s->stream>>>(
        n, p->a, s->d_x, s->d_y, s->d_z);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpyAsync(s->h_z, s->d_z, bytes, cudaMemcpyDeviceToHost, s->stream));
}

static void finish(const struct saxpy *p, size_t chunk, const struct slot *s)
{
    CUDA(cudaStreamSynchronize(s->stream));
    copy(p->z + chunk * CHUNK, s->h_z, length(p, chunk));
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t chunks = (p->n + CHUNK - 1) / CHUNK;

    /* A chunk is finished when the next to use its slot is due, SLOTS steps after its start. */
    for (size_t step = 0; step < chunks + SLOTS; step++) {
        if (step >= SLOTS && step - SLOTS < chunks)
            finish(p, step - SLOTS, &slots[step % SLOTS]);
        if (step < chunks)
            start(p, step, &slots[step % SLOTS]);
    }
}

static void release(void)
{
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        CUDA(cudaFreeHost(s->h_x));
        CUDA(cudaFreeHost(s->h_y));
        CUDA(cudaFreeHost(s->h_z));
        CUDA(cudaFree(s->d_x));
        CUDA(cudaFree(s->d_y));
        CUDA(cudaFree(s->d_z));
        CUDA(cudaStreamDestroy(s->stream));
    }
}

VARIANT(.idea = "page-locked chunks; copies both ways and kernels overlap",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .run = run,
        .release = release)
