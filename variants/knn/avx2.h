#ifndef RUNGS_KNN_AVX2_H
#define RUNGS_KNN_AVX2_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

/* The highest of v[0 .. n-1], which are whole tiles of 64 */
__attribute__((target("avx2"))) static inline float highest(const float *v, size_t n)
{
    __m256 top[4];
    __m128 half;

    for (size_t c = 0; c < 4; c++)
        top[c] = _mm256_load_ps(v + 8 * c);
    for (size_t i = 32; i < n; i += 32)
        for (size_t c = 0; c < 4; c++)
            top[c] = _mm256_max_ps(top[c], _mm256_load_ps(v + i + 8 * c));
    top[0] = _mm256_max_ps(_mm256_max_ps(top[0], top[1]), _mm256_max_ps(top[2], top[3]));
    half = _mm_max_ps(_mm256_castps256_ps128(top[0]), _mm256_extractf128_ps(top[0], 1));
    half = _mm_max_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_max_ss(half, _mm_movehdup_ps(half)));
}

/* Which of v[0 .. 63] are `least` or more: a bit each */
__attribute__((target("avx2"))) static inline uint64_t at_least_of_tile(const float *v, float least)
{
    uint64_t mask = 0;

    for (size_t c = 0; c < 64; c += 8) {
        __m256 hit = _mm256_cmp_ps(_mm256_load_ps(v + c), _mm256_set1_ps(least), _CMP_GE_OQ);

        mask |= (uint64_t)_mm256_movemask_ps(hit) << c;
    }
    return mask;
}

#endif
