/* What nearest.h needs of vectors, here of eight: AVX2. */
#ifndef RUNGS_KNN_AVX2_H
#define RUNGS_KNN_AVX2_H

#include <immintrin.h>

#include "exact.h" /* TILE */

/* The highest of v[0 .. n-1], which are whole tiles */
__attribute__((target("avx2"))) static inline float highest(const float *v, size_t n)
{
    enum { LANES = 8, CHAINS = 4 }; /* which need not wait for each other */
    __m256 top[CHAINS];
    __m128 half;

    for (size_t c = 0; c < CHAINS; c++)
        top[c] = _mm256_load_ps(v + c * LANES);
    for (size_t i = CHAINS * LANES; i < n; i += CHAINS * LANES)
        for (size_t c = 0; c < CHAINS; c++)
            top[c] = _mm256_max_ps(top[c], _mm256_load_ps(v + i + c * LANES));
    for (size_t c = 1; c < CHAINS; c++)
        top[0] = _mm256_max_ps(top[0], top[c]);
    half = _mm_max_ps(_mm256_castps256_ps128(top[0]), _mm256_extractf128_ps(top[0], 1));
    half = _mm_max_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_max_ss(half, _mm_movehdup_ps(half)));
}

/* Which of v[0 .. TILE-1] are `least` or more: a bit each */
__attribute__((target("avx2"))) static inline uint64_t reaching(const float *v, float least)
{
    const __m256 limit = _mm256_set1_ps(least);
    uint64_t mask = 0;

    for (size_t c = 0; c < TILE; c += 8) {
        __m256 reaches = _mm256_cmp_ps(_mm256_load_ps(v + c), limit, _CMP_GE_OQ);

        mask |= (uint64_t)_mm256_movemask_ps(reaches) << c;
    }
    return mask;
}

#endif
