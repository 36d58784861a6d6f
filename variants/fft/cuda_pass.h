/*
 * One butterfly of one pass of Stockham's transform, as in cpu_stockham.c; the variant says which one a thread computes
 * (read cuda_stockham.cu first).  Also roots of unity, and the factors of n.
 */
#ifndef RUNGS_FFT_CUDA_PASS_H
#define RUNGS_FFT_CUDA_PASS_H

#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>

#include "common/fft.h"

static inline float2 root(size_t k, size_t n) /* exp(-2 pi i k / n), rounded once */
{
    double angle = -2 * M_PI * (double)k / (double)n;

    return make_float2((float)cos(angle), (float)sin(angle));
}

/* Returns the radix of the next pass, when transforms of `left` points remain; 1 if none does. */
__host__ __device__ static inline int next_radix(size_t left)
{
    return left % 8 == 0   ? 8
           : left % 4 == 0 ? 4
           : left % 2 == 0 ? 2
           : left % 3 == 0 ? 3
           : left % 5 == 0 ? 5
           : left % 7 == 0 ? 7
                           : 1;
}

/* Returns why a problem's length has no such passes, or NULL if it has. */
static inline const char *refuse_prime(const void *problem)
{
    size_t left = ((const struct fft *)problem)->n;

    while (next_radix(left) > 1)
        left /= next_radix(left);
    return left == 1 ? NULL : "n has a prime factor above 7";
}

/* Returns at least 1: a transform of one point is a pass of radix 1, a copy. */
static inline int count_passes(size_t n)
{
    int count = 1;

    for (size_t left = n / next_radix(n); left > 1; left /= next_radix(left))
        count++;
    return count;
}

__device__ static inline float2 add(float2 a, float2 b)
{
    return make_float2(a.x + b.x, a.y + b.y);
}

__device__ static inline float2 sub(float2 a, float2 b)
{
    return make_float2(a.x - b.x, a.y - b.y);
}

__device__ static inline float2 mul(float2 a, float2 b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__device__ static inline float2 scale(float a, float2 b)
{
    return make_float2(a * b.x, a * b.y);
}

__device__ static inline float2 times_i(float2 a)
{
    return make_float2(-a.y, a.x);
}

__device__ static inline void butterfly_2(float2 *a, float2 *b)
{
    float2 difference = sub(*a, *b);

    *a = add(*a, *b);
    *b = difference;
}

__device__ static inline void butterfly_4(float2 *v)
{
    float2 a = add(v[0], v[2]), b = sub(v[0], v[2]);
    float2 c = add(v[1], v[3]), d = times_i(sub(v[1], v[3]));

    v[0] = add(a, c);
    v[1] = sub(b, d);
    v[2] = sub(a, c);
    v[3] = add(b, d);
}

/* 8 = 2*4: butterflies of two, eighth roots of 1, then one of four for even, one for odd results */
__device__ static inline void butterfly_8(float2 *v)
{
    const float half = 0.70710678f; /* sqrt(1/2) */

#pragma unroll
    for (int k = 0; k < 4; k++)
        butterfly_2(&v[k], &v[k + 4]);
    v[5] = scale(half, sub(v[5], times_i(v[5])));
    v[6] = make_float2(v[6].y, -v[6].x);
    v[7] = scale(-half, add(v[7], times_i(v[7])));
    butterfly_4(v);
    butterfly_4(v + 4);

    float2 odd[4] = {v[4], v[5], v[6], v[7]};

#pragma unroll
    for (int k = 3; k > 0; k--)
        v[2 * k] = v[k];
#pragma unroll
    for (int k = 0; k < 4; k++)
        v[2 * k + 1] = odd[k];
}

/* The roots at k and r-k are conjugate: taking v[k] + v[r-k] and v[k] - v[r-k] first leaves half
   the multiplications, and those with real numbers.  w[k*step] = exp(-2 pi i k / r) */
template <int r>
__device__ static inline void butterfly_odd(const float2 *w, size_t step, float2 *v)
{
    float2 sum[r / 2 + 1], dif[r / 2 + 1], first = v[0];

#pragma unroll
    for (int k = 1; k <= r / 2; k++) {
        sum[k] = add(v[k], v[r - k]);
        dif[k] = times_i(sub(v[k], v[r - k]));
        v[0] = add(v[0], sum[k]);
    }
#pragma unroll
    for (int j = 1; j <= r / 2; j++) {
        float2 even = first, odd = make_float2(0, 0);

#pragma unroll
        for (int k = 1; k <= r / 2; k++) {
            float2 root = w[j * k % r * step];

            even = add(even, scale(root.x, sum[k]));
            odd = add(odd, scale(root.y, dif[k]));
        }
        v[j] = add(even, odd);
        v[r - j] = sub(even, odd);
    }
}

/* One butterfly, from r numbers of `in` to r of `out`, in_step and out_step apart.  Result j is multiplied by
   w[j*turn]; w: [n] roots of unity. */
template <int r>
__device__ static inline void one_butterfly(size_t n, const float2 *w, size_t turn,
                                            const float2 *in, size_t in_step, float2 *out,
                                            size_t out_step)
{
    float2 v[r]; /* r is a constant, so that the loops unroll and v lives in registers */

#pragma unroll
    for (int k = 0; k < r; k++)
        v[k] = in[k * in_step];
    if constexpr (r == 2)
        butterfly_2(&v[0], &v[1]);
    else if constexpr (r == 4)
        butterfly_4(v);
    else if constexpr (r == 8)
        butterfly_8(v);
    else
        butterfly_odd<r>(w, n / r, v);
    out[0] = v[0];
#pragma unroll
    for (int j = 1; j < r; j++)
        out[j * out_step] = mul(v[j], w[j * turn]);
}

/* The same for an r that is known at run time only.  It is the same in all threads, so no warp diverges. */
__device__ static inline void butterfly(int r, size_t n, const float2 *w, size_t turn,
                                        const float2 *in, size_t in_step, float2 *out,
                                        size_t out_step)
{
    switch (r) {
    case 1: *out = *in; break;
    case 2: one_butterfly<2>(n, w, turn, in, in_step, out, out_step); break;
    case 3: one_butterfly<3>(n, w, turn, in, in_step, out, out_step); break;
    case 4: one_butterfly<4>(n, w, turn, in, in_step, out, out_step); break;
    case 5: one_butterfly<5>(n, w, turn, in, in_step, out, out_step); break;
    case 7: one_butterfly<7>(n, w, turn, in, in_step, out, out_step); break;
    case 8: one_butterfly<8>(n, w, turn, in, in_step, out, out_step); break;
    }
}

#endif
