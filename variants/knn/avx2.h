/*
 * AVX2 under plain names: vectors of eight floats.  avx512.h has the same names for sixteen, so that simd.h,
 * faces_float.h and nearest.h work with either.  VECTORS marks the functions that use these instructions.
 */
#ifndef RUNGS_KNN_AVX2_H
#define RUNGS_KNN_AVX2_H

#include <immintrin.h>

#include "exact.h" /* TILE, HELPER, INLINE */

#define VECTORS __attribute__((target("avx2,fma")))

enum { LANES = 8 };
typedef __m256 vector;

HELPER const char *needs_avx2(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
               ? NULL
               : "needs a CPU with AVX2 and FMA";
}

INLINE VECTORS vector load(const float *v)
{
    return _mm256_load_ps(v);
}

INLINE VECTORS void store(float *v, vector x)
{
    _mm256_store_ps(v, x);
}

/* x in all lanes */
INLINE VECTORS vector in_all_lanes(float x)
{
    return _mm256_set1_ps(x);
}

INLINE VECTORS vector multiply(vector a, vector b)
{
    return _mm256_mul_ps(a, b);
}

/* a * b + c, rounded once */
INLINE VECTORS vector multiply_add(vector a, vector b, vector c)
{
    return _mm256_fmadd_ps(a, b, c);
}

/* a * b - c, rounded once */
INLINE VECTORS vector multiply_subtract(vector a, vector b, vector c)
{
    return _mm256_fmsub_ps(a, b, c);
}

INLINE VECTORS vector maximum(vector a, vector b)
{
    return _mm256_max_ps(a, b);
}

/* The highest of v[0 .. n-1], which are whole tiles */
HELPER VECTORS inline float highest(const float *v, size_t n)
{
    enum { CHAINS = 4 }; /* of maxima that do not wait for each other */
    vector top[CHAINS];
    __m128 half;

    for (size_t c = 0; c < CHAINS; c++)
        top[c] = load(v + c * LANES);
    for (size_t i = CHAINS * LANES; i < n; i += CHAINS * LANES)
        for (size_t c = 0; c < CHAINS; c++)
            top[c] = maximum(top[c], load(v + i + c * LANES));
    for (size_t c = 1; c < CHAINS; c++)
        top[0] = maximum(top[0], top[c]);
    half = _mm_max_ps(_mm256_castps256_ps128(top[0]), _mm256_extractf128_ps(top[0], 1));
    half = _mm_max_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_max_ss(half, _mm_movehdup_ps(half)));
}

/* Which of v[0 .. TILE-1] are `least` or more: a bit each */
HELPER VECTORS inline uint64_t reaching(const float *v, float least)
{
    const vector limit = in_all_lanes(least);
    uint64_t mask = 0;

    for (size_t c = 0; c < TILE; c += LANES)
        mask |= (uint64_t)_mm256_movemask_ps(_mm256_cmp_ps(load(v + c), limit, _CMP_GE_OQ)) << c;
    return mask;
}

#endif
