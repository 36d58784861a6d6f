/*
 * align / cuda_warp
 *
 * Idea     A butterfly of 32 numbers, one per lane of a warp: in each of five steps a lane gets its partner's number by a
 *          shuffle.  Such a pass stands for five factors of 2, with no memory between them.  Other factors are passes as in
 *          cuda_naive.
 * Against  cuda_naive, whose largest radix is 8.
 * Expect   1024 x 1024: two passes along each axis in place of four, so nearly twice as fast, while memory is the limit.
 * Try      EACH = 1: lanes then read 8 bytes of a sector of 32.
 * Level    2
 * Read     ../fft/cuda_pass.h, cuda_buffers.h, cuda_chain.h, peak.h
 */
#include "common/variant.h"
#include "cuda_chain.h" /* the other kernels, and the host side; root, next_radix, butterfly, add, mul, scale */

enum { EACH = 4 }; /* neighbouring butterflies of a warp, so that a lane reads whole sectors */

__device__ static float2 partner(float2 v, int distance) /* returns v of lane ^ distance */
{
    return make_float2(__shfl_xor_sync(0xffffffff, v.x, distance), __shfl_xor_sync(0xffffffff, v.y, distance));
}

/* A pass of radix 32 along an axis, as in cuda_naive: number k of a butterfly is in lane k.  count: butterflies */
__global__ static void pass_of_warps(size_t count, size_t n, size_t s, size_t stride, const float2 *w, const float2 *in,
                                     float2 *out)
{
    const unsigned lane = threadIdx.x % 32, frequency = __brev(lane) >> 27; /* after all steps */
    const size_t m = n / 32, first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) / 32 * EACH;
    float2 v[EACH];

    for (int e = 0; e < EACH; e++) {
        const size_t i = first + e, line = i % stride, rest = i / stride % m, base = i / stride / m * n * stride + line;

        v[e] = i < count ? in[base + (rest + m * lane) * stride] : make_float2(0, 0);
    }
    /* Of 2h numbers, the first h lanes get their sums with the h lanes to the right: these lead to the even frequencies.
       The other lanes get the differences, times a root of unity: these lead to the odd ones. */
    for (unsigned h = 16; h > 0; h /= 2) {
        const bool right = lane & h;
        const float2 turn = right ? w[lane % h * (n / (2 * h))] : make_float2(1, 0);

        for (int e = 0; e < EACH; e++)
            v[e] = mul(turn, add(partner(v[e], h), scale(right ? -1.0f : 1.0f, v[e])));
    }
    for (int e = 0; e < EACH; e++) {
        const size_t i = first + e, line = i % stride, rest = i / stride % m, base = i / stride / m * n * stride + line;
        const size_t p = rest / s, q = rest % s;

        if (i < count)
            out[base + (q + s * (32 * p + frequency)) * stride] = mul(v[e], w[p * s * frequency]);
    }
}

/* A pass of any other radix: a thread per butterfly */
__global__ static void pass_of_threads(size_t count, int r, size_t n, size_t s, size_t stride, const float2 *w,
                                       const float2 *in, float2 *out)
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
        const size_t r = n / s % 32 == 0 ? 32 : next_radix(n / s), butterflies = count / r;

        if (r == 32)
            pass_of_warps<<<blocks_for((butterflies + EACH - 1) / EACH * 32), CHAIN_THREADS>>>(butterflies, n, s, stride, w, x,
                                                                                             other);
        else
            pass_of_threads<<<blocks_for(butterflies), CHAIN_THREADS>>>(butterflies, (int)r, n, s, stride, w, x, other);
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

VARIANT(.idea = "butterflies of 32 numbers between the lanes of a warp",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
