/*
 * logreg: sums over rows by AVX2.
 *
 * Eight rows at a time: eight margins in the lanes of one vector, one exponential for all eight, and then their shares of
 * the gradient from rows that are in the first cache.  Totals are of float32 over 64 rows, then of float64.
 */
#ifndef RUNGS_LOGREG_AVX2_H
#define RUNGS_LOGREG_AVX2_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { LANES = 8, ROWS = 8, RUN = 64 /* rows whose shares are added up in float32 */ };

static inline size_t padded(size_t n)
{
    return (n + LANES - 1) / LANES * LANES;
}

/* The first `left` lanes. */
__attribute__((target("avx2,fma"))) static inline __m256i mask_of(size_t left)
{
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);

    return _mm256_cmpgt_epi32(_mm256_set1_epi32(left < LANES ? (int)left : LANES), lane);
}

/* exp(x) to some two units in the last place: 2^k times a polynomial of a rest below log(2)/2 (coefficients of S. Moshier's
   Cephes library).  Below -87 and above 88 it stays what it is there. */
__attribute__((target("avx2,fma"))) static inline __m256 exp_lanes(__m256 x)
{
    x = _mm256_min_ps(_mm256_max_ps(x, _mm256_set1_ps(-87.0f)), _mm256_set1_ps(88.0f));
    const __m256 k = _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(1.44269504f)),
                                     _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    __m256 r = _mm256_fnmadd_ps(k, _mm256_set1_ps(0.693359375f), x);
    r = _mm256_fnmadd_ps(k, _mm256_set1_ps(-2.12194440e-4f), r);
    __m256 p = _mm256_set1_ps(1.9875691500e-4f);
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.3981999507e-3f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(8.3334519073e-3f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(4.1665795894e-2f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.6666665459e-1f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(5.0000001201e-1f));
    p = _mm256_fmadd_ps(_mm256_mul_ps(p, r), r, _mm256_add_ps(r, _mm256_set1_ps(1.0f)));
    const __m256i power = _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(k), _mm256_set1_epi32(127)), 23);

    return _mm256_mul_ps(p, _mm256_castsi256_ps(power));
}

/* Returns the eight sums of the lanes of eight vectors, in order. */
__attribute__((target("avx2,fma"))) static inline __m256 sums_of(const __m256 v[ROWS])
{
    const __m256 a = _mm256_hadd_ps(_mm256_hadd_ps(v[0], v[1]), _mm256_hadd_ps(v[2], v[3]));
    const __m256 b = _mm256_hadd_ps(_mm256_hadd_ps(v[4], v[5]), _mm256_hadd_ps(v[6], v[7]));
    const __m256 low = _mm256_insertf128_ps(a, _mm256_castps256_ps128(b), 1);

    return _mm256_add_ps(low, _mm256_permute2f128_ps(a, b, 0x31));
}

/* Returns x . w of eight rows. */
__attribute__((target("avx2,fma"))) static inline __m256 margins_of(size_t n, const float *x, const float *w)
{
    __m256 sum[ROWS];
    size_t j = 0;

    for (int i = 0; i < ROWS; i++)
        sum[i] = _mm256_setzero_ps();
    for (; j + LANES <= n; j += LANES) {
        const __m256 v = _mm256_load_ps(w + j);
        for (size_t i = 0; i < ROWS; i++)
            sum[i] = _mm256_fmadd_ps(_mm256_loadu_ps(x + i * n + j), v, sum[i]);
    }
    if (j < n) {
        const __m256i mask = mask_of(n - j);
        const __m256 v = _mm256_load_ps(w + j);
        for (size_t i = 0; i < ROWS; i++)
            sum[i] = _mm256_fmadd_ps(_mm256_maskload_ps(x + i * n + j, mask), v, sum[i]);
    }
    return sums_of(sum);
}

/* Returns 1/(1 + exp(-z)) - y of eight margins.  For y = 1 that is -1/(1 + exp(z)): no digits cancel. */
__attribute__((target("avx2,fma"))) static inline __m256 residuals_of(__m256 z, const uint8_t *y)
{
    const __m256i labels = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)y));
    const __m256 sign = _mm256_castsi256_ps(_mm256_slli_epi32(labels, 31)); /* set for y = 1 */
    const __m256 one = _mm256_set1_ps(1.0f), minus = _mm256_set1_ps(-0.0f);
    const __m256 share = _mm256_div_ps(one, _mm256_add_ps(one, exp_lanes(_mm256_xor_ps(_mm256_xor_ps(z, minus), sign))));

    return _mm256_xor_ps(share, sign);
}

/* Adds r x of eight rows to g, and r to the lanes of *all. */
__attribute__((target("avx2,fma"))) static inline void add_shares(size_t n, const float *x, __m256 r, float *g)
{
    float each[ROWS];
    size_t j = 0;

    _mm256_storeu_ps(each, r);
    for (; j + LANES <= n; j += LANES) {
        __m256 sum = _mm256_load_ps(g + j);
        for (size_t i = 0; i < ROWS; i++)
            sum = _mm256_fmadd_ps(_mm256_loadu_ps(x + i * n + j), _mm256_broadcast_ss(&each[i]), sum);
        _mm256_store_ps(g + j, sum);
    }
    if (j < n) {
        const __m256i mask = mask_of(n - j);
        __m256 sum = _mm256_load_ps(g + j);
        for (size_t i = 0; i < ROWS; i++)
            sum = _mm256_fmadd_ps(_mm256_maskload_ps(x + i * n + j, mask), _mm256_broadcast_ss(&each[i]), sum);
        _mm256_store_ps(g + j, sum);
    }
}

/* Adds the shares of `count` rows, a multiple of ROWS, to the sums [n + 1].  w and g are aligned and padded; the padding of
   w is 0.  g is scratch. */
__attribute__((target("avx2,fma"))) static inline void add_rows(size_t n, const float *x, const uint8_t *y, size_t count,
                                                                const float *w, float intercept, float *g, double *sums)
{
    for (size_t begin = 0; begin < count; begin += RUN) {
        const size_t end = count - begin < RUN ? count : begin + RUN;
        __m256 all = _mm256_setzero_ps();
        float lanes[LANES];

        memset(g, 0, padded(n) * sizeof *g);
        for (size_t i = begin; i < end; i += ROWS) {
            const __m256 z = _mm256_add_ps(margins_of(n, x + i * n, w), _mm256_set1_ps(intercept));
            const __m256 r = residuals_of(z, y + i);
            add_shares(n, x + i * n, r, g);
            all = _mm256_add_ps(all, r);
        }
        for (size_t j = 0; j < n; j++)
            sums[j] += (double)g[j];
        _mm256_storeu_ps(lanes, all);
        for (int i = 0; i < LANES; i++)
            sums[n] += (double)lanes[i];
    }
}

#endif
