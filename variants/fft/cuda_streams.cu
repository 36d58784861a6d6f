/*
 * fft / cuda_streams
 *
 * Idea     The bus is the bottleneck, so use it in both directions at once.  Chunks of signals take
 *          turns, each in its own stream: while one is transformed, the next comes in and the one
 *          before goes out.  The copy engines need no help from the host, because the arrays are
 *          page-locked.
 * Against  cuda_stockham: everything in, then everything transformed, then everything out.
 * Expect   End to end: the time of 8 bytes per number on their way in.  The way out is as long and
 *          hides behind it, and the passes are shorter.  One long signal is one chunk, and nothing
 *          overlaps.
 * Try      SLOTS = 1: the same copies, no overlap.  lock() returning NULL: ordinary memory.
 * Level    2
 * Read     cuda_pass.h
 */
#include "common/cuda.h"
#include "common/fft.h"
#include "common/variant.h"
#include "cuda_pass.h" /* root; butterfly, next_radix, count_passes, refuse_prime */

static const int threads = 256;

enum {
    CHUNK = 1 << 20, /* numbers, 8 MiB: long enough for the bus's full rate */
    SLOTS = 4        /* chunks: two on their way in, one being computed, one on its way out */
};

static float2 *d_w;  /* [n] roots of unity */
static size_t chunk; /* signals in one */
static void *locked_x, *locked_X; /* the arrays, page-locked; NULL: empty, or not lockable */

static struct slot {
    float2 *d_x, *d_X, *d_work; /* [chunk][n] */
    cudaStream_t stream;
} slots[SLOTS];

__global__ static void fft_streams(size_t count, int r, size_t n, size_t s, const float2 *w,
                                   const float2 *in, float2 *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= count)
        return;

    size_t signal = i / (n / r), rest = i % (n / r), p = rest / s, q = rest % s;

    butterfly(r, n, w, p * s, in + signal * n + rest, n / r, out + signal * n + q + r * s * p, s);
}

static void *lock(const void *array, size_t bytes, unsigned flags)
{
    if (bytes > 0 && cudaHostRegister((void *)array, bytes, flags) == cudaSuccess)
        return (void *)array;
    (void)cudaGetLastError(); /* clears the error: no later check must report it */
    return NULL; /* copies still work, but do not overlap */
}

static void prepare(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    float2 *w = (float2 *)malloc(p->n * sizeof *w);

    for (size_t k = 0; k < p->n; k++)
        w[k] = root(k, p->n);
    CUDA(cudaMalloc(&d_w, p->n * sizeof *d_w));
    CUDA(cudaMemcpy(d_w, w, p->n * sizeof *d_w, cudaMemcpyHostToDevice));
    free(w);

    chunk = p->n < CHUNK ? CHUNK / p->n : 1;
    locked_x = lock(p->x, p->batch * p->n * sizeof *p->x, cudaHostRegisterReadOnly);
    locked_X = lock(p->X, p->batch * p->n * sizeof *p->X, cudaHostRegisterDefault);
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        size_t bytes = chunk * p->n * sizeof(float2);

        CUDA(cudaMalloc(&s->d_x, bytes));
        CUDA(cudaMalloc(&s->d_X, bytes));
        CUDA(cudaMalloc(&s->d_work, bytes));
        CUDA(cudaStreamCreate(&s->stream));
    }
}

/* Queues all work on so many signals in a slot's stream. */
static void start(const struct fft *p, size_t first, size_t signals, const struct slot *s)
{
    size_t bytes = signals * p->n * sizeof(float2);
    const float2 *in = s->d_x;
    int left = count_passes(p->n);

    CUDA(cudaMemcpyAsync(s->d_x, p->x + first * p->n, bytes, cudaMemcpyHostToDevice, s->stream));
    for (size_t step = 1; left > 0; left--) {
        int r = next_radix(p->n / step);
        size_t count = signals * (p->n / r), blocks = (count + threads - 1) / threads;
        float2 *out = left % 2 == 1 ? s->d_X : s->d_work; /* the last pass writes to d_X */

        fft_streams<<<(unsigned)blocks, threads, 0, s->stream>>>(count, r, p->n, step, d_w, in,
                                                                 out);
        CUDA(cudaGetLastError());
        step *= r;
        in = out;
    }
    CUDA(cudaMemcpyAsync(p->X + first * p->n, s->d_X, bytes, cudaMemcpyDeviceToHost, s->stream));
}

static void run(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    /* A stream works in order, so a slot is not filled again before its last copy has ended. */
    for (size_t i = 0; i < p->batch; i += chunk)
        start(p, i, p->batch - i < chunk ? p->batch - i : chunk, &slots[i / chunk % SLOTS]);
    CUDA(cudaDeviceSynchronize()); /* the calls above only queued work */
}

static void release(void)
{
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        CUDA(cudaStreamDestroy(s->stream));
        CUDA(cudaFree(s->d_x));
        CUDA(cudaFree(s->d_X));
        CUDA(cudaFree(s->d_work));
    }
    if (locked_x != NULL)
        CUDA(cudaHostUnregister(locked_x));
    if (locked_X != NULL)
        CUDA(cudaHostUnregister(locked_X));
    CUDA(cudaFree(d_w));
}

VARIANT(.idea = "chunks in streams: copies both ways and passes overlap",
        .base = "cuda_stockham",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse_prime,
        .prepare = prepare,
        .run = run,
        .release = release)
