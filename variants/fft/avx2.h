/*
 * Eight lanes: what the transforms of lanes.h need of AVX2.  avx512.h has the same for sixteen.
 */
#ifndef RUNGS_FFT_AVX2_H
#define RUNGS_FFT_AVX2_H

#include <immintrin.h>

#include "common/fft.h"

/* Without the attribute a function may not use the registers, not even by inlining one that may. */
#define SIMD __attribute__((target("avx2,fma")))
#define SIMD_INLINE __attribute__((target("avx2,fma"), always_inline)) static inline

#define REGISTER __m256
enum { LANES = 8 };

struct vec { /* a number of each of eight transforms; 64 bytes, a cache line */
    REGISTER re, im;
};

static const char *simd_missing(void)
{
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return NULL;
    return "needs a CPU with AVX2 and FMA";
}

SIMD_INLINE struct vec vec_all(struct cpx a) /* the same number in all lanes */
{
    return (struct vec){_mm256_set1_ps(a.re), _mm256_set1_ps(a.im)};
}

/* Two runs of four floats in one register.  Most shuffles of AVX2 stay within 128 bits; with the
   halves placed like this at load and store, they leave the lanes in order. */
SIMD_INLINE __m256 load_halves(const float *low, const float *high)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
}

SIMD_INLINE void store_halves(float *low, float *high, __m256 v)
{
    _mm_storeu_ps(low, _mm256_castps256_ps128(v));
    _mm_storeu_ps(high, _mm256_extractf128_ps(v, 1));
}

SIMD_INLINE struct vec vec_load(const struct cpx *x) /* lane i = x[i] */
{
    const float *f = &x->re;
    __m256 a = load_halves(f, f + 8), b = load_halves(f + 4, f + 12);

    return (struct vec){_mm256_shuffle_ps(a, b, 0x88), _mm256_shuffle_ps(a, b, 0xdd)};
}

SIMD_INLINE void vec_store(struct cpx *x, struct vec v) /* x[i] = lane i */
{
    float *f = &x->re;

    store_halves(f, f + 8, _mm256_unpacklo_ps(v.re, v.im));
    store_halves(f + 4, f + 12, _mm256_unpackhi_ps(v.re, v.im));
}

/* row[i] lane j <-> row[j] lane i: pairs of floats, then quadruples, then halves change places */
SIMD_INLINE void transpose(__m256 row[LANES])
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

#endif
