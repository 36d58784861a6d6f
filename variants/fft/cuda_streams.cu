/*
 * fft / cuda_streams
 *
 * Idea     The bus is the limit, so keep it busy both ways at once.  Chunks of signals in turn,
 *          each in a stream of its own: while one is transformed, the next comes in and the last
 *          goes out.  The copy engines need page-locked memory: the problem's arrays are locked
 *          where they lie; where that cannot be, all cores carry chunks to and from locked slots.
 * Against  cuda_stockham: everything in, then everything transformed, then everything out.
 * Expect   End to end: 8 bytes a number over the bus, the way in; the way out is as long and hides
 *          behind it, the passes are shorter.  One long signal is one chunk, and nothing overlaps.
 * Try      SLOTS = 1: the same copies, no overlap.  lock() returning NULL: what do slots cost?
 */
#include <string.h>

#include "common/cuda.h"
#include "common/fft.h"
#include "common/variant.h"
#include "cuda_pass.h" /* root; butterfly, next_radix, count_passes */

static const int threads = 256;

enum {
    CHUNK = 1 << 20, /* numbers, 8 MiB: long enough for the bus's full rate */
    SLOTS = 3,       /* chunks: one on its way in, one in work, one on its way out */
    PIECE = 1 << 14  /* numbers that a core copies at a time */
};

static float2 *d_w;  /* [n] roots of unity */
static size_t chunk; /* signals in one */
static size_t chunks;
static void *locked_x, *locked_X; /* the problem's arrays, if they are page-locked; else NULL */

/* h_ is page-locked memory of the host, d_ the device's; each [chunk][n]. */
static struct slot {
    struct cpx *h_x, *h_X;
    float2 *d_x, *d_X, *d_work;
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

static void *lock(const void *memory, size_t bytes, unsigned flags) /* NULL: it cannot be */
{
    if (bytes > 0 && cudaHostRegister((void *)memory, bytes, flags) == cudaSuccess)
        return (void *)memory;
    cudaGetLastError(); /* takes note of the error, so that nobody else stumbles upon it */
    return NULL;
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
    chunk = chunk < p->batch ? chunk : p->batch;
    chunks = chunk > 0 ? (p->batch + chunk - 1) / chunk : 0;
    locked_x = lock(p->x, p->batch * p->n * sizeof *p->x, cudaHostRegisterReadOnly);
    locked_X = lock(p->X, p->batch * p->n * sizeof *p->X, cudaHostRegisterDefault);
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        size_t bytes = chunk * p->n * sizeof(float2);

        if (locked_x == NULL)
            CUDA(cudaMallocHost(&s->h_x, bytes + 1)); /* no bytes might be an error */
        if (locked_X == NULL)
            CUDA(cudaMallocHost(&s->h_X, bytes + 1));
        CUDA(cudaMalloc(&s->d_x, bytes));
        CUDA(cudaMalloc(&s->d_X, bytes));
        CUDA(cudaMalloc(&s->d_work, bytes));
        CUDA(cudaStreamCreate(&s->stream));
    }
}

/* memcpy by all cores: one alone is slower than the bus. */
static void copy(struct cpx *to, const struct cpx *from, size_t n)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i += PIECE)
        memcpy(to + i, from + i, (n - i < PIECE ? n - i : (size_t)PIECE) * sizeof *to);
}

/* Everything for a chunk, into its slot's stream */
static void start(const struct fft *p, size_t batch, size_t first, const struct slot *s)
{
    size_t bytes = batch * p->n * sizeof(float2);
    const float2 *in = s->d_x;
    int left = count_passes(p->n);

    if (locked_x == NULL)
        copy(s->h_x, p->x + first * p->n, batch * p->n);
    CUDA(cudaMemcpyAsync(s->d_x, locked_x == NULL ? s->h_x : p->x + first * p->n, bytes,
                         cudaMemcpyHostToDevice, s->stream));
    for (size_t step = 1; left > 0; left--) {
        int r = next_radix(p->n / step);
        size_t count = batch * (p->n / r), blocks = (count + threads - 1) / threads;
        float2 *out = left % 2 == 1 ? s->d_X : s->d_work; /* the last pass writes to d_X */

        fft_streams<<<(unsigned)blocks, threads, 0, s->stream>>>(count, r, p->n, step, d_w, in,
                                                                 out);
        CUDA(cudaGetLastError());
        step *= r;
        in = out;
    }
    CUDA(cudaMemcpyAsync(locked_X == NULL ? s->h_X : p->X + first * p->n, s->d_X, bytes,
                         cudaMemcpyDeviceToHost, s->stream));
}

static void finish(const struct fft *p, size_t batch, size_t first, const struct slot *s)
{
    CUDA(cudaStreamSynchronize(s->stream));
    if (locked_X == NULL)
        copy(p->X + first * p->n, s->h_X, batch * p->n);
}

static size_t signals(const struct fft *p, size_t i) /* in chunk i */
{
    return i < chunks - 1 ? chunk : p->batch - i * chunk;
}

static void run(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    if (chunks == 0)
        return;
    /* A chunk is finished when the next to use its slot is due, SLOTS steps after its start. */
    for (size_t i = 0; i < chunks + SLOTS; i++) {
        if (i >= SLOTS && i - SLOTS < chunks)
            finish(p, signals(p, i - SLOTS), (i - SLOTS) * chunk, &slots[i % SLOTS]);
        if (i < chunks)
            start(p, signals(p, i), i * chunk, &slots[i % SLOTS]);
    }
}

static void release(void)
{
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        CUDA(cudaStreamDestroy(s->stream));
        if (locked_x == NULL)
            CUDA(cudaFreeHost(s->h_x));
        if (locked_X == NULL)
            CUDA(cudaFreeHost(s->h_X));
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

VARIANT(.idea = "page-locked chunks; copies both ways and passes overlap",
        .base = "cuda_stockham",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .run = run,
        .release = release)
