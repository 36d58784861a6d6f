/* Shared by cpu_simd and cpu_simd_openmp: a reflection of rows in vectors of eight columns (tsqr.h). */
#ifndef RUNGS_QR_REFLECT_AVX2_H
#define RUNGS_QR_REFLECT_AVX2_H

#include <immintrin.h>

#include "common/qr.h"
#include "tsqr.h" /* tsqr_reflect */

static const char *refuse_avx2(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? NULL : "needs AVX2 and FMA";
}

/* `vectors` of w's columns at once: v'w stays in registers.  Lanes below `from` get nothing: they hold reflectors. */
__attribute__((target("avx2,fma"), always_inline)) static inline void
reflect_strip(const float *v, float factor, float *w, size_t rows, size_t stride, int from, const int vectors)
{
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256 sum[4];

    for (int t = 0; t < vectors; t++)
        sum[t] = _mm256_setzero_ps();
    for (size_t i = 0; i < rows; i++) {
        const __m256 each = _mm256_broadcast_ss(v + i * stride);
        for (int t = 0; t < vectors; t++)
            sum[t] = _mm256_fmadd_ps(each, _mm256_loadu_ps(w + i * stride + 8 * t), sum[t]);
    }
    const __m256i below = _mm256_cmpgt_epi32(_mm256_set1_epi32(from), lanes); /* of the first vector */
    for (int t = 0; t < vectors; t++)
        sum[t] = _mm256_mul_ps(sum[t], _mm256_set1_ps(factor));
    sum[0] = _mm256_andnot_ps(_mm256_castsi256_ps(below), sum[0]);
    for (size_t i = 0; i < rows; i++) {
        const __m256 each = _mm256_broadcast_ss(v + i * stride);
        for (int t = 0; t < vectors; t++) {
            float *at = w + i * stride + 8 * t;
            _mm256_storeu_ps(at, _mm256_fnmadd_ps(each, sum[t], _mm256_loadu_ps(at)));
        }
    }
}

__attribute__((target("avx2,fma"))) static void reflect_avx2(const float *v, float factor, float *w, size_t rows,
                                                              size_t stride, size_t from)
{
    size_t j = from / 8 * 8;
    int below = (int)(from % 8);

    for (; j + 32 <= stride; j += 32, below = 0)
        reflect_strip(v, factor, w + j, rows, stride, below, 4);
    for (; j + 16 <= stride; j += 16, below = 0)
        reflect_strip(v, factor, w + j, rows, stride, below, 2);
    for (; j < stride; j += 8, below = 0)
        reflect_strip(v, factor, w + j, rows, stride, below, 1);
}

#endif
