/* map: each function of eight or sixteen elements at once, by AVX2.  sine.h has the same steps for one number. */
#ifndef RUNGS_MAP_AVX2_H
#define RUNGS_MAP_AVX2_H

#include <immintrin.h>

#include "sine.h"

#define AVX2 __attribute__((target("avx2,fma"))) static inline

struct angles {
    __m256 r;
    __m256i quarters;
};

AVX2 __m256 all(float x)
{
    return _mm256_set1_ps(x);
}

AVX2 struct angles reduce_near8(__m256 x)
{
    const __m256 rounded = _mm256_fmadd_ps(x, all(TWO_OVER_PI), all(ROUNDER));
    const __m256 quarters = _mm256_sub_ps(rounded, all(ROUNDER));
    __m256 r = _mm256_fnmadd_ps(quarters, all(HALF_PI_1), x);

    r = _mm256_fnmadd_ps(quarters, all(HALF_PI_2), r);
    r = _mm256_fnmadd_ps(quarters, all(HALF_PI_3), r);
    return (struct angles){r, _mm256_castps_si256(rounded)};
}

/* Four numbers, whose windows have these indexes. */
AVX2 __m128 reduce_far4(__m128 x, __m128i index, const struct window *windows, __m128i *quarters)
{
    const __m256d wide = _mm256_cvtps_pd(x);
    const __m128i twice = _mm_add_epi32(index, index); /* hi and lo take turns */
    const __m256d hi = _mm256_i32gather_pd(&windows->hi, twice, 8), lo = _mm256_i32gather_pd(&windows->lo, twice, 8);
    const __m256d exact = _mm256_mul_pd(wide, hi);
    const __m256d whole = _mm256_round_pd(_mm256_fmadd_pd(wide, lo, exact), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const __m256d rest = _mm256_fmadd_pd(wide, lo, _mm256_sub_pd(exact, whole));

    *quarters = _mm256_cvtpd_epi32(whole);
    return _mm256_cvtpd_ps(_mm256_mul_pd(rest, _mm256_set1_pd(1.57079632679489661923)));
}

/* Replaces what reduce_near8 has made of large numbers. */
__attribute__((target("avx2,fma"), noinline, cold)) static struct angles
reduce_far8(__m256 x, struct angles near, const struct window *windows)
{
    const __m256i exponent = _mm256_and_si256(_mm256_srli_epi32(_mm256_castps_si256(x), 23), _mm256_set1_epi32(255));
    const __m256i index = _mm256_sub_epi32(exponent, _mm256_set1_epi32(WINDOW_FIRST));
    const __m256i inside = _mm256_max_epi32(index, _mm256_setzero_si256()); /* of the table */
    const __m256 is_near = _mm256_castsi256_ps(index);                      /* its sign says so */
    __m128i low, high;
    const __m128 r_low = reduce_far4(_mm256_castps256_ps128(x), _mm256_castsi256_si128(inside), windows, &low);
    const __m128 r_high = reduce_far4(_mm256_extractf128_ps(x, 1), _mm256_extracti128_si256(inside, 1), windows, &high);
    const __m256 quarters = _mm256_castsi256_ps(_mm256_setr_m128i(low, high));

    return (struct angles){_mm256_blendv_ps(_mm256_setr_m128(r_low, r_high), near.r, is_near),
                           _mm256_castps_si256(_mm256_blendv_ps(quarters, _mm256_castsi256_ps(near.quarters), is_near))};
}

/* sin(quarters * pi/2 + r) */
AVX2 __m256 sine8(struct angles a)
{
    const __m256 r = a.r, s = _mm256_mul_ps(r, r);
    __m256 sine = _mm256_fmadd_ps(all(S2), s, all(S1)), cosine = _mm256_fmadd_ps(all(C2), s, all(C1));

    sine = _mm256_fmadd_ps(_mm256_mul_ps(s, r), _mm256_fmadd_ps(sine, s, all(S0)), r);
    cosine = _mm256_fmadd_ps(_mm256_fmadd_ps(cosine, s, all(C0)), s, all(-0.5F));
    cosine = _mm256_fmadd_ps(cosine, s, all(1.0F));
    /* blendv looks at the sign: there bit 0 of quarters chooses, and bit 1 becomes the answer's sign. */
    const __m256 size = _mm256_blendv_ps(sine, cosine, _mm256_castsi256_ps(_mm256_slli_epi32(a.quarters, 31)));
    const __m256 sign = _mm256_and_ps(_mm256_castsi256_ps(_mm256_slli_epi32(a.quarters, 30)), all(-0.0F));

    return _mm256_xor_ps(size, sign);
}

/* cos x + sin y */
AVX2 __m256 trig8(__m256 x, __m256 y, const struct window *windows)
{
    const __m256 size = _mm256_max_ps(_mm256_andnot_ps(all(-0.0F), x), _mm256_andnot_ps(all(-0.0F), y));
    struct angles a = reduce_near8(x), b = reduce_near8(y);

    if (__builtin_expect(_mm256_movemask_ps(_mm256_cmp_ps(size, all(NEAR), _CMP_NLT_UQ)) != 0, 0)) {
        a = reduce_far8(x, a, windows);
        b = reduce_far8(y, b, windows);
    }
    a.quarters = _mm256_add_epi32(a.quarters, _mm256_set1_epi32(1)); /* cos x = sin(x + pi/2) */
    return _mm256_add_ps(sine8(a), sine8(b));
}

AVX2 __m256 reldiff8(__m256 x, __m256 y)
{
    const __m256 difference = _mm256_sub_ps(x, y);

    return _mm256_div_ps(_mm256_add_ps(difference, difference), _mm256_add_ps(x, y));
}

/* Sixteen elements.  abs makes 0x8000 of -32768, which is 32768 without a sign.  A subtraction that stops at 0 compares without
   a sign, too: it leaves 0 where nothing is above the threshold. */
AVX2 __m256i suppress16(__m256i x, __m256i threshold)
{
    const __m256i above = _mm256_subs_epu16(_mm256_abs_epi16(x), threshold);

    return _mm256_andnot_si256(_mm256_cmpeq_epi16(above, _mm256_setzero_si256()), x);
}

#endif
