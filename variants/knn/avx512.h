/* What nearest.h needs of vectors, here of sixteen: AVX-512. */
#ifndef RUNGS_KNN_AVX512_H
#define RUNGS_KNN_AVX512_H

#include <immintrin.h>

#include "exact.h" /* TILE */

/* The highest of v[0 .. n-1], which are whole tiles */
__attribute__((target("avx512f"))) static inline float highest(const float *v, size_t n)
{
    enum { LANES = 16, CHAINS = TILE / LANES }; /* which need not wait for each other */
    __m512 top[CHAINS];

    for (size_t c = 0; c < CHAINS; c++)
        top[c] = _mm512_load_ps(v + c * LANES);
    for (size_t i = TILE; i < n; i += TILE)
        for (size_t c = 0; c < CHAINS; c++)
            top[c] = _mm512_max_ps(top[c], _mm512_load_ps(v + i + c * LANES));
    for (size_t c = 1; c < CHAINS; c++)
        top[0] = _mm512_max_ps(top[0], top[c]);
    return _mm512_reduce_max_ps(top[0]);
}

/* Which of v[0 .. TILE-1] are `least` or more: a bit each */
__attribute__((target("avx512f"))) static inline uint64_t reaching(const float *v, float least)
{
    const __m512 limit = _mm512_set1_ps(least);
    uint64_t mask = 0;

    for (size_t c = 0; c < TILE; c += 16)
        mask |= (uint64_t)_mm512_cmp_ps_mask(_mm512_load_ps(v + c), limit, _CMP_GE_OQ) << c;
    return mask;
}

#endif
