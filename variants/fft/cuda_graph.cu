/*
 * fft / cuda_graph
 *
 * Idea     All passes as one graph, recorded in prepare: run() is a single launch, and the device
 *          goes from pass to pass by itself.
 * Against  cuda_stockham: the same kernels, launched one by one.
 * Expect   A short transform is bound by its launches.  These become one launch and a small step
 *          per pass.  A long one, bound by memory, gains nothing.
 * Try      batch = 1, n = 2^6 to 2^24: at what length do both take the same time?
 * Level    2
 * Read     cuda_pass.h
 */
#include "common/cuda.h"
#include "common/fft.h"
#include "common/variant.h"
#include "cuda_pass.h" /* root; butterfly, next_radix, count_passes, refuse_prime */

static const int threads = 256;

static float2 *d_x, *d_X, *d_work; /* [batch][n] */
static float2 *d_w;                /* [n] roots of unity */
static cudaGraphExec_t passes;     /* NULL: no signals, no passes */

__global__ static void fft_graph(size_t count, int r, size_t n, size_t s, const float2 *w,
                                 const float2 *in, float2 *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= count)
        return;

    size_t signal = i / (n / r), rest = i % (n / r), p = rest / s, q = rest % s;

    butterfly(r, n, w, p * s, in + signal * n + rest, n / r, out + signal * n + q + r * s * p, s);
}

static void launch_passes(const struct fft *p, cudaStream_t stream)
{
    const float2 *in = d_x;
    int left = count_passes(p->n);

    for (size_t s = 1; left > 0; left--) {
        int r = next_radix(p->n / s);
        size_t count = p->batch * (p->n / r), blocks = (count + threads - 1) / threads;
        float2 *out = left % 2 == 1 ? d_X : d_work; /* the last pass writes to d_X */

        fft_graph<<<(unsigned)blocks, threads, 0, stream>>>(count, r, p->n, s, d_w, in, out);
        CUDA(cudaGetLastError());
        s *= r;
        in = out;
    }
}

static void prepare(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    size_t bytes = p->batch * p->n * sizeof(float2);
    float2 *w = (float2 *)malloc(p->n * sizeof *w);
    cudaStream_t stream;
    cudaGraph_t recorded;

    for (size_t k = 0; k < p->n; k++)
        w[k] = root(k, p->n);
    CUDA(cudaMalloc(&d_w, p->n * sizeof *d_w));
    CUDA(cudaMemcpy(d_w, w, p->n * sizeof *d_w, cudaMemcpyHostToDevice));
    free(w);
    CUDA(cudaMalloc(&d_x, bytes));
    CUDA(cudaMalloc(&d_X, bytes));
    CUDA(cudaMalloc(&d_work, bytes));
    passes = NULL;
    if (p->batch == 0)
        return;

    /* Launches between begin and end are recorded with their arguments, and not executed. */
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    launch_passes(p, stream);
    CUDA(cudaStreamEndCapture(stream, &recorded));
    CUDA(cudaGraphInstantiate(&passes, recorded, 0));
    CUDA(cudaGraphDestroy(recorded));
    CUDA(cudaStreamDestroy(stream));
}

static void upload(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    CUDA(cudaMemcpy(d_x, p->x, p->batch * p->n * sizeof *d_x, cudaMemcpyHostToDevice));
}

static void run(const void *problem)
{
    (void)problem;
    if (passes != NULL)
        CUDA(cudaGraphLaunch(passes, 0));
}

static void download(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    CUDA(cudaMemcpy(p->X, d_X, p->batch * p->n * sizeof *d_X, cudaMemcpyDeviceToHost));
}

static void release(void)
{
    if (passes != NULL)
        CUDA(cudaGraphExecDestroy(passes));
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_X));
    CUDA(cudaFree(d_work));
    CUDA(cudaFree(d_w));
}

VARIANT(.idea = "all passes recorded as one graph",
        .base = "cuda_stockham",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse_prime,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
