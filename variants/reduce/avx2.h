/* reduce: the totals of a block by AVX2. */
#ifndef RUNGS_REDUCE_AVX2_H
#define RUNGS_REDUCE_AVX2_H

#include <immintrin.h>
#include <stddef.h>

#include "totals.h"

enum {
    LANES = 8,
    CHAINS = 4,                   /* independent vectors of totals: latency 4, one addition per cycle and port */
    RUN = 64,                     /* additions in float32 before a lane's total goes into float64 */
    BLOCK = LANES * CHAINS * RUN  /* elements */
};

__attribute__((target("avx2,fma"))) static inline double add_lanes(__m256d v)
{
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));

    return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

__attribute__((target("avx2,fma"))) static inline __m256d widen(const __m256 v[CHAINS])
{
    __m256d wide = _mm256_setzero_pd();

    for (int c = 0; c < CHAINS; c++) {
        wide = _mm256_add_pd(wide, _mm256_cvtps_pd(_mm256_castps256_ps128(v[c])));
        wide = _mm256_add_pd(wide, _mm256_cvtps_pd(_mm256_extractf128_ps(v[c], 1)));
    }
    return wide;
}

/* Returns the totals of x[0 .. BLOCK-1]. */
__attribute__((target("avx2,fma"))) static inline struct totals totals_block(const float *x)
{
    __m256 sum[CHAINS], squares[CHAINS];

    for (int c = 0; c < CHAINS; c++)
        sum[c] = squares[c] = _mm256_setzero_ps();
    for (int i = 0; i < BLOCK; i += LANES * CHAINS)
        for (int c = 0; c < CHAINS; c++) {
            const __m256 v = _mm256_loadu_ps(x + i + LANES * c);
            sum[c] = _mm256_add_ps(sum[c], v);
            squares[c] = _mm256_fmadd_ps(v, v, squares[c]);
        }
    const struct totals t = {add_lanes(widen(sum)), add_lanes(widen(squares))};

    return totals_in_range(t.squares) ? t : totals_plain(x, BLOCK);
}

/* The totals of any number of elements, block by block in order. */
__attribute__((target("avx2,fma"))) static inline struct totals totals_of(const float *x, size_t n)
{
    struct totals all = {0.0, 0.0};
    size_t i = 0;

    for (; i + BLOCK <= n; i += BLOCK) {
        const struct totals block = totals_block(x + i);
        totals_add(&all, &block);
    }
    const struct totals rest = totals_plain(x + i, n - i);

    totals_add(&all, &rest);
    return all;
}

#endif
