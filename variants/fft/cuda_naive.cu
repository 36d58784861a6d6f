/*
 * fft / cuda_naive
 *
 * Idea     One GPU thread per frequency: each sums all n numbers of its signal, straight from the
 *          definition.  This file spells out everything that it takes; later variants share its
 *          host side.
 * Against  cpu_naive, the same sums one after another.
 * Expect   All lanes of a warp read the same number of the signal, one access for 32 threads, but
 *          their roots are at 32 different places of the table.  Bound by these reads from some
 *          hundred points on, and always by n^2: beyond some length, any n log n algorithm on one
 *          core wins.
 * Try      Double n until cpu_stockham is as fast.  Then sum in float: from which n on is it wrong?
 * Level    1
 * Read     nothing else
 */
#include <math.h>

#include "common/cuda.h"
#include "common/fft.h"
#include "common/variant.h"

static const int threads = 256; /* of a block; any multiple of 32, a warp, from 128 on will do */

/* d_: on the device.  float2 is CUDA's struct cpx, x the real and y the imaginary part; both are loaded and stored at
   once. */
static float2 *d_x, *d_X; /* [batch][n] */
static float2 *d_w;       /* [n] w[k] = exp(-2 pi i k / n) */

__global__ static void fft_naive(size_t batch, size_t n, const float2 *w, const float2 *x,
                                 float2 *X)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= batch * n)
        return; /* the last block may reach past the end */

    size_t f = i % n;
    double re = 0, im = 0; /* in float, the rounding errors of n additions would add up */

    x += i - f; /* the signal's first number */
    for (size_t t = 0, k = 0; t < n; t++) { /* k = f*t mod n, without the overflow of f*t */
        re += (double)x[t].x * w[k].x - (double)x[t].y * w[k].y;
        im += (double)x[t].x * w[k].y + (double)x[t].y * w[k].x;
        k += f;
        if (k >= n)
            k -= n;
    }
    X[i] = make_float2((float)re, (float)im);
}

static void prepare(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    float2 *w = (float2 *)malloc(p->n * sizeof *w);

    for (size_t k = 0; k < p->n; k++) {
        double angle = -2 * M_PI * (double)k / (double)p->n; /* in float, its error would show */
        w[k] = make_float2((float)cos(angle), (float)sin(angle));
    }
    CUDA(cudaMalloc(&d_w, p->n * sizeof *d_w));
    CUDA(cudaMemcpy(d_w, w, p->n * sizeof *d_w, cudaMemcpyHostToDevice));
    free(w);
    CUDA(cudaMalloc(&d_x, p->batch * p->n * sizeof *d_x));
    CUDA(cudaMalloc(&d_X, p->batch * p->n * sizeof *d_X));
}

static void upload(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    CUDA(cudaMemcpy(d_x, p->x, p->batch * p->n * sizeof *d_x, cudaMemcpyHostToDevice));
}

static void run(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    size_t blocks = (p->batch * p->n + threads - 1) / threads;

    if (blocks == 0)
        return; /* a launch of no blocks is an error */
    fft_naive<<<(unsigned)blocks, threads>>>(p->batch, p->n, d_w, d_x, d_X);
    CUDA(cudaGetLastError()); /* a bad launch is reported here, not by the next copy */
}

static void download(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    CUDA(cudaMemcpy(p->X, d_X, p->batch * p->n * sizeof *d_X, cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_X));
    CUDA(cudaFree(d_w));
}

VARIANT(.idea = "one thread per frequency, all spelled out",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
