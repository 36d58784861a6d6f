/*
 * Eight transforms at once in the lanes of AVX2 registers: lane i belongs to transform i alone.
 * The butterflies are those of cpu_stockham.c with a register in place of a number, and so any
 * length and any radix is vectorised alike, without a single shuffle.
 */
#ifndef RUNGS_FFT_LANES_H
#define RUNGS_FFT_LANES_H

#include <immintrin.h>

#include "common/fft.h"

/* Without the attribute a function may not use the registers, not even by inlining one that may. */
#define AVX2 __attribute__((target("avx2,fma")))
#define AVX2_INLINE __attribute__((target("avx2,fma"), always_inline)) static inline

enum { LANES = 8 };

struct vec { /* one number of each of the eight transforms; a cache line of 64 bytes */
    __m256 re, im;
};

AVX2_INLINE struct vec vec_add(struct vec a, struct vec b)
{
    return (struct vec){a.re + b.re, a.im + b.im};
}

AVX2_INLINE struct vec vec_sub(struct vec a, struct vec b)
{
    return (struct vec){a.re - b.re, a.im - b.im};
}

AVX2_INLINE struct vec vec_mul(struct vec a, struct vec b)
{
    return (struct vec){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

AVX2_INLINE struct vec vec_times_i(struct vec a)
{
    return (struct vec){-a.im, a.re};
}

AVX2_INLINE struct vec vec_all(struct cpx a) /* the same number in all lanes */
{
    return (struct vec){_mm256_set1_ps(a.re), _mm256_set1_ps(a.im)};
}

/* Two runs of four floats in one register.  Most shuffles of AVX2 stay within 128 bits; with the
   halves placed like this at load and store, they leave the lanes in order. */
AVX2_INLINE __m256 load_halves(const float *low, const float *high)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
}

AVX2_INLINE void store_halves(float *low, float *high, __m256 v)
{
    _mm_storeu_ps(low, _mm256_castps256_ps128(v));
    _mm_storeu_ps(high, _mm256_extractf128_ps(v, 1));
}

AVX2_INLINE struct vec vec_load(const struct cpx *x) /* lane i = x[i] */
{
    const float *f = &x->re;
    __m256 a = load_halves(f, f + 8), b = load_halves(f + 4, f + 12);

    return (struct vec){_mm256_shuffle_ps(a, b, 0x88), _mm256_shuffle_ps(a, b, 0xdd)};
}

AVX2_INLINE void vec_store(struct cpx *x, struct vec v) /* x[i] = lane i */
{
    float *f = &x->re;

    store_halves(f, f + 8, _mm256_unpacklo_ps(v.re, v.im));
    store_halves(f + 4, f + 12, _mm256_unpackhi_ps(v.re, v.im));
}

/* row[i] lane j <-> row[j] lane i: pairs of floats, then quadruples, then halves change places */
AVX2_INLINE void transpose(__m256 row[LANES])
{
    __m256 two[LANES], four[LANES];

    for (int i = 0; i < LANES; i += 2) {
        two[i] = _mm256_unpacklo_ps(row[i], row[i + 1]);
        two[i + 1] = _mm256_unpackhi_ps(row[i], row[i + 1]);
    }
    for (int i = 0; i < LANES; i += 4)
        for (int j = 0; j < 2; j++) {
            four[i + 2 * j] = _mm256_shuffle_ps(two[i + j], two[i + j + 2], 0x44);
            four[i + 2 * j + 1] = _mm256_shuffle_ps(two[i + j], two[i + j + 2], 0xee);
        }
    for (int i = 0; i < LANES / 2; i++) {
        row[i] = _mm256_permute2f128_ps(four[i], four[i + 4], 0x20);
        row[i + 4] = _mm256_permute2f128_ps(four[i], four[i + 4], 0x31);
    }
}

AVX2_INLINE void butterfly_2(struct vec *v)
{
    struct vec a = v[0], b = v[1];

    v[0] = vec_add(a, b);
    v[1] = vec_sub(a, b);
}

AVX2_INLINE void butterfly_4(struct vec *v)
{
    struct vec a = vec_add(v[0], v[2]), b = vec_sub(v[0], v[2]);
    struct vec c = vec_add(v[1], v[3]), d = vec_times_i(vec_sub(v[1], v[3]));

    v[0] = vec_add(a, c);
    v[1] = vec_sub(b, d);
    v[2] = vec_sub(a, c);
    v[3] = vec_add(b, d);
}

AVX2_INLINE void butterfly_odd(size_t r, const struct vec *root, struct vec *v)
{
    struct vec sum[4], dif[4], first = v[0];

    for (size_t k = 1; k <= r / 2; k++) {
        sum[k] = vec_add(v[k], v[r - k]);
        dif[k] = vec_times_i(vec_sub(v[k], v[r - k]));
        v[0] = vec_add(v[0], sum[k]);
    }
    for (size_t j = 1; j <= r / 2; j++) {
        struct vec even = first, odd = vec_all((struct cpx){0, 0});

        for (size_t k = 1; k <= r / 2; k++) {
            struct vec c = root[j * k % r];

            even = vec_add(even, (struct vec){c.re * sum[k].re, c.re * sum[k].im});
            odd = vec_add(odd, (struct vec){c.im * dif[k].re, c.im * dif[k].im});
        }
        v[j] = vec_add(even, odd);
        v[r - j] = vec_sub(even, odd);
    }
}

AVX2_INLINE void pass(size_t r, size_t m, size_t s, const struct cpx *w, const struct vec *in,
                      struct vec *out)
{
    struct vec root[7], twiddle[7], v[7];

    for (size_t k = 0; k < r; k++)
        root[k] = vec_all(w[k * m * s]);
    for (size_t p = 0; p < m; p++) {
        for (size_t j = 1; j < r; j++)
            twiddle[j] = vec_all(w[p * j * s]);
        for (size_t q = 0; q < s; q++) {
            for (size_t k = 0; k < r; k++)
                v[k] = in[q + s * (p + m * k)];
            if (r == 2)
                butterfly_2(v);
            else if (r == 4)
                butterfly_4(v);
            else
                butterfly_odd(r, root, v);
            out[q + s * r * p] = v[0];
            for (size_t j = 1; j < r; j++) /* the last pass has p = 0 only, and nothing to turn */
                out[q + s * (r * p + j)] = p == 0 ? v[j] : vec_mul(v[j], twiddle[j]);
        }
    }
}

/* Eight transforms of n points from `in`, by way of `work` and `other`, [n] each; `in` may be the
   same as `other`.  w: [n] roots of unity.  Returns where the answer is: one of the three. */
AVX2 static const struct vec *lanes_transform(size_t n, const struct cpx *w, const struct vec *in,
                                              struct vec *work, struct vec *other)
{
    for (size_t s = 1, r; s < n; s *= r) {
        size_t left = n / s;
        struct vec *out = work;

        if (left % 4 == 0)
            pass(r = 4, left / 4, s, w, in, out);
        else if (left % 2 == 0)
            pass(r = 2, left / 2, s, w, in, out);
        else if (left % 3 == 0)
            pass(r = 3, left / 3, s, w, in, out);
        else if (left % 5 == 0)
            pass(r = 5, left / 5, s, w, in, out);
        else
            pass(r = 7, left / 7, s, w, in, out);
        in = out;
        work = other;
        other = out;
    }
    return in;
}

#endif
