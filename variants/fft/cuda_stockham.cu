/*
 * fft / cuda_stockham
 *
 * Idea     A better algorithm beats better hardware, on a GPU too.  With n = r*m, one transform is
 *          m butterflies of r points, then r transforms of m points, and so on.  One launch per
 *          factor, one thread per butterfly.  Each pass reads one array and writes another, in
 *          Stockham's order, which leaves the frequencies sorted.
 * Against  cuda_naive: instead of n terms, a frequency costs the sum of the factors of n.
 * Expect   Bound by the device's memory: every pass moves every number in and out, 16 bytes.  A
 *          short transform is bound by the launches, one per pass.
 * Try      Take the 8 out of next_radix (cuda_pass.h): 7 passes for n = 2^20 become 10.
 * Level    1
 * Read     cuda_buffers.h, cuda_pass.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* d_x, d_X, roots; host functions, to which this file adds */
#include "cuda_pass.h"    /* butterfly, next_radix, count_passes, refuse_prime */

static const int threads = 256;

static float2 *d_w;    /* [n] roots of unity */
static float2 *d_work; /* [batch][n] the passes alternate between this and d_X */

/*
 * At the start of a pass, each signal is s interleaved transforms of r*m points, number t of
 * transform q at q + s*t; at its end, r*s of m points.  Butterfly p of transform q takes numbers
 * p, p + m, p + 2m ... of it, and gives number p to each of r new ones.
 */
__global__ static void fft_stockham(size_t count, int r, size_t n, size_t s, const float2 *w,
                                    const float2 *in, float2 *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= count)
        return;

    size_t signal = i / (n / r), rest = i % (n / r), p = rest / s, q = rest % s;

    /* Neighbouring threads always read neighbouring numbers; they write such once s is 4 or more. */
    butterfly(r, n, w, p * s, in + signal * n + rest, n / r, out + signal * n + q + r * s * p, s);
}

static void prepare(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    buffers_prepare(problem);
    CUDA(cudaMalloc(&d_work, p->batch * p->n * sizeof *d_work));
    d_w = roots(p->n);
}

static void run(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    const float2 *in = d_x;
    int left = count_passes(p->n);

    for (size_t s = 1; left > 0 && p->batch > 0; left--) {
        int r = next_radix(p->n / s);
        size_t count = p->batch * (p->n / r), blocks = (count + threads - 1) / threads;
        float2 *out = left % 2 == 1 ? d_X : d_work; /* the last pass writes to d_X */

        fft_stockham<<<(unsigned)blocks, threads>>>(count, r, p->n, s, d_w, in, out);
        CUDA(cudaGetLastError());
        s *= r;
        in = out;
    }
}

static void release(void)
{
    buffers_release();
    CUDA(cudaFree(d_work));
    CUDA(cudaFree(d_w));
}

VARIANT(.idea = "n log n: one launch per factor of n",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse_prime,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
