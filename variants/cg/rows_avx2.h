/* Four rows of A times p, by AVX2 and FMA: p is loaded once for four, and eight sums are under way. */
#ifndef RUNGS_CG_ROWS_AVX2_H
#define RUNGS_CG_ROWS_AVX2_H

#include <immintrin.h>

#include "common/cg.h"

enum { ROWS = 4 };

static const char *refuse_avx2(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? NULL : "this CPU has no AVX2 and FMA";
}

__attribute__((target("avx2,fma"))) static inline float add_lanes(__m256 v)
{
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));

    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

/* q[i] to q[i + ROWS - 1], as far as there are rows. */
__attribute__((target("avx2,fma"))) static inline void multiply_rows(const struct cg *s, const float *p, float *q,
                                                                    size_t i)
{
    const size_t n = s->n, rows = n - i < ROWS ? n - i : ROWS;
    const float *a[ROWS];
    __m256 even[ROWS], odd[ROWS];
    size_t j = 0;

    for (size_t r = 0; r < ROWS; r++) {
        a[r] = s->a + (i + (r < rows ? r : 0)) * n; /* rows beyond are not stored */
        even[r] = odd[r] = _mm256_setzero_ps();
    }
    for (; j + 16 <= n; j += 16) {
        const __m256 p0 = _mm256_loadu_ps(p + j), p1 = _mm256_loadu_ps(p + j + 8);

#pragma GCC unroll 4
        for (size_t r = 0; r < ROWS; r++) {
            even[r] = _mm256_fmadd_ps(_mm256_loadu_ps(a[r] + j), p0, even[r]);
            odd[r] = _mm256_fmadd_ps(_mm256_loadu_ps(a[r] + j + 8), p1, odd[r]);
        }
    }
    for (size_t r = 0; r < rows; r++) {
        float sum = add_lanes(_mm256_add_ps(even[r], odd[r]));

        for (size_t k = j; k < n; k++)
            sum += a[r][k] * p[k];
        q[i + r] = sum;
    }
}

#endif
