#ifndef RUNGS_KNN_AVX512_H
#define RUNGS_KNN_AVX512_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

/* The highest of v[0 .. n-1], which are whole tiles of 64 */
__attribute__((target("avx512f"))) static inline float highest(const float *v, size_t n)
{
    __m512 top[4];

    for (size_t c = 0; c < 4; c++)
        top[c] = _mm512_load_ps(v + 16 * c);
    for (size_t i = 64; i < n; i += 64)
        for (size_t c = 0; c < 4; c++)
            top[c] = _mm512_max_ps(top[c], _mm512_load_ps(v + i + 16 * c));
    top[0] = _mm512_max_ps(_mm512_max_ps(top[0], top[1]), _mm512_max_ps(top[2], top[3]));
    return _mm512_reduce_max_ps(top[0]);
}

/* Which of v[0 .. 63] are `least` or more: a bit each */
__attribute__((target("avx512f"))) static inline uint64_t at_least_of_tile(const float *v,
                                                                           float least)
{
    uint64_t mask = 0;

    for (size_t c = 0; c < 64; c += 16)
        mask |= (uint64_t)_mm512_cmp_ps_mask(_mm512_load_ps(v + c), _mm512_set1_ps(least),
                                             _CMP_GE_OQ) << c;
    return mask;
}

#endif
