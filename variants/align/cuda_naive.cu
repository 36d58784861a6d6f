/*
 * align / cuda_naive
 *
 * Idea     A kernel per pass, a thread per butterfly.  A transform in two dimensions is passes along the rows, then passes
 *          along the columns, of all images at once.  Arrays in the device's memory lie between all kernels.
 * Against  cpu_naive, one number after another.
 * Expect   Bound by the device's memory: for 1024 x 1024 four passes along each axis, three transforms, 16 bytes a pixel and
 *          pass.  Small images are bound by the launches, some 30 of them.
 * Try      Take the 8 out of next_radix (../fft/cuda_pass.h).  pairs = 1 and 64 of 128 x 128: what does a launch cost?
 * Level    1
 * Read     ../fft/cuda_pass.h, cuda_buffers.h, cuda_chain.h, peak.h
 */
#include "common/variant.h"
#include "cuda_chain.h" /* the other kernels, and the host side; root, next_radix, butterfly */

/*
 * One pass of radix r along an axis of n numbers, `stride` apart: 1 for rows, cols for columns.  As in fft/cuda_stockham,
 * butterfly p of transform q takes the numbers q + s*p, n/r apart, and s is the product of the radices before.
 */
__global__ static void pass(size_t count, int r, size_t n, size_t s, size_t stride, const float2 *w, const float2 *in,
                            float2 *out)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= count)
        return;

    const size_t line = i % stride, rest = i / stride % (n / r), first = i / stride / (n / r) * n * stride + line;
    const size_t p = rest / s, q = rest % s;

    butterfly(r, n, w, p * s, in + first + rest * stride, n / r * stride, out + first + (q + r * s * p) * stride, s * stride);
}

/* All passes along one axis.  Returns where the result is. */
static float2 *along(size_t count, size_t n, size_t stride, const float2 *w, float2 *x, float2 *other)
{
    for (size_t s = 1; s < n;) {
        const int r = next_radix(n / s);

        pass<<<blocks_for(count / r), CHAIN_THREADS>>>(count / r, r, n, s, stride, w, x, other);
        CUDA(cudaGetLastError());
        s *= r;
        float2 *swap = x;
        x = other;
        other = swap;
    }
    return x;
}

static void run(const void *problem)
{
    const struct align *p = (const struct align *)problem;
    const size_t count = p->pairs * p->rows * p->cols;

    chain_run(p, [=](float2 *x, float2 *other) {
        float2 *y = along(count, p->cols, 1, d_of_cols, x, other);

        return along(count, p->rows, p->cols, d_of_rows, y, y == x ? other : x);
    });
}

VARIANT(.idea = "a kernel per pass, a thread per butterfly",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
