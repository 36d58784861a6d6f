/*
 * Eight float64 numbers under plain names, in two vectors of AVX2.  eights_avx512.h has the same names for one vector
 * of AVX-512, so that tree_search.h works with either.  VECTORS marks the functions that use these instructions.
 */
#ifndef RUNGS_KNN_EIGHTS_AVX2_H
#define RUNGS_KNN_EIGHTS_AVX2_H

#include <immintrin.h>

#include "exact.h" /* HELPER, INLINE */

#define VECTORS __attribute__((target("avx2,fma")))

enum { LANES = 8 };

typedef struct {
    __m256d low, high;
} eight;

typedef eight choice; /* all bits of a lane are set, or none */

HELPER const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? NULL
                                                                           : "needs a CPU with AVX2 and FMA";
}

INLINE VECTORS eight everywhere(double x)
{
    return (eight){_mm256_set1_pd(x), _mm256_set1_pd(x)};
}

INLINE VECTORS eight load(const double x[LANES])
{
    return (eight){_mm256_loadu_pd(x), _mm256_loadu_pd(x + 4)};
}

INLINE VECTORS void store(double x[LANES], eight a)
{
    _mm256_storeu_pd(x, a.low);
    _mm256_storeu_pd(x + 4, a.high);
}

INLINE VECTORS eight minus(eight a, eight b)
{
    return (eight){_mm256_sub_pd(a.low, b.low), _mm256_sub_pd(a.high, b.high)};
}

/* a^2 + b */
INLINE VECTORS eight square_plus(eight a, eight b)
{
    return (eight){_mm256_fmadd_pd(a.low, a.low, b.low), _mm256_fmadd_pd(a.high, a.high, b.high)};
}

/* (sqrt(a) + b)^2 */
INLINE VECTORS eight lengthen(eight a, double b)
{
    __m256d low = _mm256_add_pd(_mm256_sqrt_pd(a.low), _mm256_set1_pd(b));
    __m256d high = _mm256_add_pd(_mm256_sqrt_pd(a.high), _mm256_set1_pd(b));

    return (eight){_mm256_mul_pd(low, low), _mm256_mul_pd(high, high)};
}

INLINE VECTORS eight smaller(eight a, eight b)
{
    return (eight){_mm256_min_pd(a.low, b.low), _mm256_min_pd(a.high, b.high)};
}

INLINE VECTORS eight larger(eight a, eight b)
{
    return (eight){_mm256_max_pd(a.low, b.low), _mm256_max_pd(a.high, b.high)};
}

/* Where a < b */
INLINE VECTORS choice below(eight a, eight b)
{
    return (choice){_mm256_cmp_pd(a.low, b.low, _CMP_LT_OQ), _mm256_cmp_pd(a.high, b.high, _CMP_LT_OQ)};
}

/* b where `where` holds, elsewhere a */
INLINE VECTORS eight choose(eight a, eight b, choice where)
{
    return (eight){_mm256_blendv_pd(a.low, b.low, where.low), _mm256_blendv_pd(a.high, b.high, where.high)};
}

/* A bit for each lane */
INLINE VECTORS unsigned bits(choice where)
{
    return (unsigned)(_mm256_movemask_pd(where.low) | _mm256_movemask_pd(where.high) << 4);
}

#endif
