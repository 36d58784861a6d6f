/*
 * fft / cuda_warp
 *
 * Idea     A butterfly of 32 points, one per lane.  In each of five steps, a lane gets its
 *          partner's number by a shuffle and keeps the sum or the difference.  A pass of radix 32
 *          replaces five factors of 2, with no memory in between.  Factors other than 32 are passes
 *          as in cuda_stockham.
 * Against  cuda_stockham, whose largest radix is 8: 2^20 is 4 passes here, and 7 there.
 * Expect   Bound by the device's memory, once per pass, where n has 32 as a factor; the shuffles
 *          hide behind it.  The first pass also reads its roots from scattered places.  Without a
 *          factor 32, the same as cuda_stockham.
 * Try      EACH = 1: lanes then read 8 bytes of a sector of 32, and caches must save the rest.
 * Level    2
 * Read     cuda_buffers.h, cuda_pass.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* d_x, d_X, roots; host functions, to which this file adds */
#include "cuda_pass.h"    /* add, mul, scale; butterfly, next_radix, count_passes, refuse_prime */

static const int threads = 256;
enum { EACH = 4 }; /* neighbouring butterflies of a warp, so that a lane reads whole sectors */

static float2 *d_w;    /* [n] roots of unity */
static float2 *d_work; /* [batch][n] the passes alternate between this and d_X */

__device__ static float2 partner(float2 v, int distance) /* returns v of lane ^ distance */
{
    return make_float2(__shfl_xor_sync(0xffffffff, v.x, distance),
                       __shfl_xor_sync(0xffffffff, v.y, distance));
}

/* A pass of radix 32: butterfly p of transform q as in cuda_stockham.cu, number k in lane k. */
__global__ static void fft_warp(size_t count, size_t n, size_t s, const float2 *w,
                                const float2 *in, float2 *out)
{
    const unsigned lane = threadIdx.x % 32, frequency = __brev(lane) >> 27; /* after all steps */
    const size_t m = n / 32;
    const size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) / 32 * EACH;
    float2 v[EACH];

    for (int i = 0; i < EACH; i++) {
        size_t signal = (first + i) / m, rest = (first + i) % m;

        v[i] = first + i < count ? in[signal * n + rest + m * lane] : make_float2(0, 0);
    }
    /* Of 2h numbers, the first h lanes get their sums with the h lanes to the right: these lead to the even frequencies.
       The other lanes get the differences, times a root of unity: these lead to the odd ones. */
    for (unsigned h = 16; h > 0; h /= 2) {
        bool right = lane & h;
        float2 turn = right ? w[lane % h * (n / (2 * h))] : make_float2(1, 0);

        for (int i = 0; i < EACH; i++)
            v[i] = mul(turn, add(partner(v[i], h), scale(right ? -1.0f : 1.0f, v[i])));
    }
    for (int i = 0; i < EACH; i++) {
        size_t signal = (first + i) / m, rest = (first + i) % m, p = rest / s, q = rest % s;

        if (first + i < count)
            out[signal * n + q + s * (32 * p + frequency)] = mul(v[i], w[p * s * frequency]);
    }
}

/* A pass of any other radix: one thread per butterfly */
__global__ static void fft_warp_thread(size_t count, int r, size_t n, size_t s, const float2 *w,
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

    buffers_prepare(problem);
    CUDA(cudaMalloc(&d_work, p->batch * p->n * sizeof *d_work));
    d_w = roots(p->n);
}

static void run(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    const float2 *in = d_x;
    size_t s = 1, warps_left = 0, rest = p->n;

    for (; rest % 32 == 0; rest /= 32)
        warps_left++;

    size_t left = warps_left + (rest > 1 || p->n == 1 ? count_passes(rest) : 0);

    for (; left > 0 && p->batch > 0; left--) {
        float2 *out = left % 2 == 1 ? d_X : d_work; /* the last pass writes to d_X */

        if (warps_left > 0) {
            size_t count = p->batch * (p->n / 32), warps = (count + EACH - 1) / EACH;
            size_t blocks = (warps * 32 + threads - 1) / threads;

            fft_warp<<<(unsigned)blocks, threads>>>(count, p->n, s, d_w, in, out);
            s *= 32;
            warps_left--;
        } else {
            int r = next_radix(p->n / s);
            size_t count = p->batch * (p->n / r), blocks = (count + threads - 1) / threads;

            fft_warp_thread<<<(unsigned)blocks, threads>>>(count, r, p->n, s, d_w, in, out);
            s *= r;
        }
        CUDA(cudaGetLastError());
        in = out;
    }
}

static void release(void)
{
    buffers_release();
    CUDA(cudaFree(d_work));
    CUDA(cudaFree(d_w));
}

VARIANT(.idea = "butterflies of 32 points between the lanes of a warp",
        .base = "cuda_stockham",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse_prime,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
