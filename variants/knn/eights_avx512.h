/* Eight float64 numbers in a vector of AVX-512, under the same names as in eights_avx2.h. */
#ifndef RUNGS_KNN_EIGHTS_AVX512_H
#define RUNGS_KNN_EIGHTS_AVX512_H

#include <immintrin.h>

#include "exact.h" /* HELPER, INLINE */

#define VECTORS __attribute__((target("avx512f")))

enum { LANES = 8 };

typedef __m512d eight;
typedef __mmask8 choice; /* a bit for each lane */

HELPER const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx512f") ? NULL : "needs a CPU with AVX-512";
}

INLINE VECTORS eight everywhere(double x)
{
    return _mm512_set1_pd(x);
}

INLINE VECTORS eight load(const double x[LANES])
{
    return _mm512_loadu_pd(x);
}

INLINE VECTORS void store(double x[LANES], eight a)
{
    _mm512_storeu_pd(x, a);
}

INLINE VECTORS eight minus(eight a, eight b)
{
    return _mm512_sub_pd(a, b);
}

/* a^2 + b */
INLINE VECTORS eight square_plus(eight a, eight b)
{
    return _mm512_fmadd_pd(a, a, b);
}

/* (sqrt(a) + b)^2 */
INLINE VECTORS eight lengthen(eight a, double b)
{
    eight sum = _mm512_add_pd(_mm512_sqrt_pd(a), _mm512_set1_pd(b));

    return _mm512_mul_pd(sum, sum);
}

INLINE VECTORS eight smaller(eight a, eight b)
{
    return _mm512_min_pd(a, b);
}

INLINE VECTORS eight larger(eight a, eight b)
{
    return _mm512_max_pd(a, b);
}

/* Where a < b */
INLINE VECTORS choice below(eight a, eight b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
}

/* b where `where` holds, elsewhere a */
INLINE VECTORS eight choose(eight a, eight b, choice where)
{
    return _mm512_mask_mov_pd(a, where, b);
}

/* A bit for each lane */
INLINE VECTORS unsigned bits(choice where)
{
    return where;
}

#endif
