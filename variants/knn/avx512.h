/* AVX-512 under plain names: vectors of sixteen floats.  avx2.h has the same names for eight. */
#ifndef RUNGS_KNN_AVX512_H
#define RUNGS_KNN_AVX512_H

#include <immintrin.h>

#include "exact.h" /* TILE, HELPER, INLINE */

#ifndef VECTORS /* cpu_vnni needs more */
#define VECTORS __attribute__((target("avx512f")))
#endif

enum { LANES = 16 };
typedef __m512 vector;

HELPER const char *needs_avx512(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx512f") ? NULL : "needs a CPU with AVX-512";
}

INLINE VECTORS vector load(const float *v)
{
    return _mm512_load_ps(v);
}

INLINE VECTORS void store(float *v, vector x)
{
    _mm512_store_ps(v, x);
}

/* x in all lanes */
INLINE VECTORS vector in_all_lanes(float x)
{
    return _mm512_set1_ps(x);
}

INLINE VECTORS vector multiply(vector a, vector b)
{
    return _mm512_mul_ps(a, b);
}

/* a * b + c, rounded once */
INLINE VECTORS vector multiply_add(vector a, vector b, vector c)
{
    return _mm512_fmadd_ps(a, b, c);
}

/* a * b - c, rounded once */
INLINE VECTORS vector multiply_subtract(vector a, vector b, vector c)
{
    return _mm512_fmsub_ps(a, b, c);
}

INLINE VECTORS vector maximum(vector a, vector b)
{
    return _mm512_max_ps(a, b);
}

/* The highest of v[0 .. n-1], which are whole tiles */
HELPER VECTORS inline float highest(const float *v, size_t n)
{
    enum { CHAINS = TILE / LANES }; /* of maxima that do not wait for each other */
    vector top[CHAINS];

    for (size_t c = 0; c < CHAINS; c++)
        top[c] = load(v + c * LANES);
    for (size_t i = TILE; i < n; i += TILE)
        for (size_t c = 0; c < CHAINS; c++)
            top[c] = maximum(top[c], load(v + i + c * LANES));
    for (size_t c = 1; c < CHAINS; c++)
        top[0] = maximum(top[0], top[c]);
    return _mm512_reduce_max_ps(top[0]);
}

/* Which of v[0 .. TILE-1] are `least` or more: a bit each */
HELPER VECTORS inline uint64_t reaching(const float *v, float least)
{
    const vector limit = in_all_lanes(least);
    uint64_t mask = 0;

    for (size_t c = 0; c < TILE; c += LANES)
        mask |= (uint64_t)_mm512_cmp_ps_mask(load(v + c), limit, _CMP_GE_OQ) << c;
    return mask;
}

#endif
