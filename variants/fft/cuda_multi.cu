/*
 * fft / cuda_multi
 *
 * Idea     All GPUs, one host thread for each.  Chunks of signals form a queue: each idle GPU takes
 *          the next.  A signal is never split.  Its halves would have to be exchanged between the
 *          GPUs, number by number, so one long signal occupies one GPU and no other.
 * Against  cuda_stockham: the same copies and passes, on one GPU.
 * Expect   End to end: the rate at which one host core can copy ordinary memory to a GPU, times the
 *          number of GPUs, until the host's memory is the bottleneck.  The passes are short beside
 *          that.
 * Try      CHUNK = 2^14: too many starts; 2^26: too few chunks to share.
 * Level    2
 * Read     cuda_pass.h
 */
#include <omp.h>

#include "common/cuda.h"
#include "common/fft.h"
#include "common/variant.h"
#include "cuda_pass.h" /* root; butterfly, next_radix, count_passes, refuse_prime */

static const int threads = 256;

enum { CHUNK = 1 << 20 }; /* numbers, or one signal if that has more */

static struct gpu {
    float2 *d_x, *d_X, *d_work; /* [chunk][n] */
    float2 *d_w;                /* [n] roots of unity */
} *gpus;

static int count_gpus;
static size_t chunk; /* signals in one */

__global__ static void fft_multi(size_t count, int r, size_t n, size_t s, const float2 *w,
                                 const float2 *in, float2 *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= count)
        return;

    size_t signal = i / (n / r), rest = i % (n / r), p = rest / s, q = rest % s;

    butterfly(r, n, w, p * s, in + signal * n + rest, n / r, out + signal * n + q + r * s * p, s);
}

static void prepare(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    float2 *w = (float2 *)malloc(p->n * sizeof *w);

    for (size_t k = 0; k < p->n; k++)
        w[k] = root(k, p->n);
    chunk = p->n < CHUNK ? CHUNK / p->n : 1;
    chunk = chunk < p->batch ? chunk : p->batch;
    CUDA(cudaGetDeviceCount(&count_gpus));
    gpus = (struct gpu *)malloc((size_t)count_gpus * sizeof *gpus);
    for (int g = 0; g < count_gpus; g++) {
        size_t bytes = chunk * p->n * sizeof(float2);

        CUDA(cudaSetDevice(g));
        CUDA(cudaMalloc(&gpus[g].d_x, bytes));
        CUDA(cudaMalloc(&gpus[g].d_X, bytes));
        CUDA(cudaMalloc(&gpus[g].d_work, bytes));
        CUDA(cudaMalloc(&gpus[g].d_w, p->n * sizeof(float2)));
        CUDA(cudaMemcpy(gpus[g].d_w, w, p->n * sizeof(float2), cudaMemcpyHostToDevice));
    }
    CUDA(cudaSetDevice(0)); /* the current device is per thread; the harness uses device 0 */
    free(w);
}

static void transform(const struct fft *p, size_t first, const struct gpu *on)
{
    size_t batch = p->batch - first < chunk ? p->batch - first : chunk;
    size_t bytes = batch * p->n * sizeof(float2);
    const float2 *in = on->d_x;
    int left = count_passes(p->n);

    CUDA(cudaMemcpy(on->d_x, p->x + first * p->n, bytes, cudaMemcpyHostToDevice));
    for (size_t s = 1; left > 0; left--) {
        int r = next_radix(p->n / s);
        size_t count = batch * (p->n / r), blocks = (count + threads - 1) / threads;
        float2 *out = left % 2 == 1 ? on->d_X : on->d_work; /* the last pass writes to d_X */

        fft_multi<<<(unsigned)blocks, threads>>>(count, r, p->n, s, on->d_w, in, out);
        CUDA(cudaGetLastError());
        s *= r;
        in = out;
    }
    CUDA(cudaMemcpy(p->X + first * p->n, on->d_X, bytes, cudaMemcpyDeviceToHost));
}

static void run(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    size_t next = 0; /* first signal of the chunk to be drawn next */

#pragma omp parallel num_threads(count_gpus)
    {
        int me = omp_get_thread_num(); /* thread 0 is the harness's, which uses GPU 0 */

        CUDA(cudaSetDevice(me));
        for (;;) {
            size_t first;

#pragma omp atomic capture
            {
                first = next;
                next += chunk;
            }
            if (first >= p->batch)
                break;
            transform(p, first, &gpus[me]);
        }
    }
}

static void release(void)
{
    for (int g = 0; g < count_gpus; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaFree(gpus[g].d_x));
        CUDA(cudaFree(gpus[g].d_X));
        CUDA(cudaFree(gpus[g].d_work));
        CUDA(cudaFree(gpus[g].d_w));
    }
    CUDA(cudaSetDevice(0));
    free(gpus);
}

VARIANT(.idea = "one host thread per GPU, chunks of signals from a queue",
        .base = "cuda_stockham",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_ALL_GPUS,
        .refuse = refuse_prime,
        .prepare = prepare,
        .run = run,
        .release = release)
