/* logreg: sums over rows by AVX-512: as avx2.h, with sixteen lanes, and masks for the last features. */
#ifndef RUNGS_LOGREG_AVX512_H
#define RUNGS_LOGREG_AVX512_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { LANES = 16, ROWS = 16, RUN = 64 /* rows whose shares are added up in float32 */ };

#define WIDE __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

static inline size_t padded(size_t n)
{
    return (n + LANES - 1) / LANES * LANES;
}

static inline __mmask16 mask_of(size_t left)
{
    return (__mmask16)(left < LANES ? (1U << left) - 1U : 0xffffU);
}

/* exp(x), as in avx2.h. */
WIDE static inline __m512 exp_lanes(__m512 x)
{
    x = _mm512_min_ps(_mm512_max_ps(x, _mm512_set1_ps(-87.0f)), _mm512_set1_ps(88.0f));
    const __m512 k = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(1.44269504f)), 8);
    __m512 r = _mm512_fnmadd_ps(k, _mm512_set1_ps(0.693359375f), x);
    r = _mm512_fnmadd_ps(k, _mm512_set1_ps(-2.12194440e-4f), r);
    __m512 p = _mm512_set1_ps(1.9875691500e-4f);
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.3981999507e-3f));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(8.3334519073e-3f));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(4.1665795894e-2f));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.6666665459e-1f));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(5.0000001201e-1f));
    p = _mm512_fmadd_ps(_mm512_mul_ps(p, r), r, _mm512_add_ps(r, _mm512_set1_ps(1.0f)));

    return _mm512_scalef_ps(p, k);
}

/* Returns the sixteen sums of the lanes of sixteen vectors, in order.  Each of four rounds joins pairs of vectors: lanes that
   are 8, 4, 2, 1 apart are added, those of the first vector and of the second beside each other. */
WIDE static inline __m512 sums_of(__m512 v[ROWS])
{
    static const int first[4][LANES] = {
        {0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23},
        {0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27},
        {0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29},
        {0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30},
    };

    for (int round = 0, half = ROWS / 2; round < 4; round++, half /= 2) {
        const __m512i one = _mm512_loadu_si512(first[round]);
        const __m512i other = _mm512_add_epi32(one, _mm512_set1_epi32(half));
        for (int i = 0; i < half; i++)
            v[i] = _mm512_add_ps(_mm512_permutex2var_ps(v[i], one, v[i + half]),
                                 _mm512_permutex2var_ps(v[i], other, v[i + half]));
    }
    return v[0];
}

/* Returns x . w of sixteen rows. */
WIDE static inline __m512 margins_of(size_t n, const float *x, const float *w)
{
    __m512 sum[ROWS];

    for (int i = 0; i < ROWS; i++)
        sum[i] = _mm512_setzero_ps();
    for (size_t j = 0; j < n; j += LANES) {
        const __mmask16 mask = mask_of(n - j);
        const __m512 v = _mm512_load_ps(w + j);
        for (size_t i = 0; i < ROWS; i++)
            sum[i] = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(mask, x + i * n + j), v, sum[i]);
    }
    return sums_of(sum);
}

/* Returns 1/(1 + exp(-z)) - y, as in avx2.h. */
WIDE static inline __m512 residuals_of(__m512 z, const uint8_t *y)
{
    const __m512i labels = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)y));
    const __m512 sign = _mm512_castsi512_ps(_mm512_slli_epi32(labels, 31)); /* set for y = 1 */
    const __m512 one = _mm512_set1_ps(1.0f), minus = _mm512_set1_ps(-0.0f);
    const __m512 q = exp_lanes(_mm512_xor_ps(_mm512_xor_ps(z, minus), sign));

    return _mm512_xor_ps(_mm512_div_ps(one, _mm512_add_ps(one, q)), sign);
}

/* Adds r x of sixteen rows to g. */
WIDE static inline void add_shares(size_t n, const float *x, __m512 r, float *g)
{
    float each[ROWS];

    _mm512_storeu_ps(each, r);
    for (size_t j = 0; j < n; j += LANES) {
        const __mmask16 mask = mask_of(n - j);
        __m512 sum = _mm512_load_ps(g + j);
        for (size_t i = 0; i < ROWS; i++)
            sum = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(mask, x + i * n + j), _mm512_set1_ps(each[i]), sum);
        _mm512_store_ps(g + j, sum);
    }
}

/* As in avx2.h. */
WIDE static inline void add_rows(size_t n, const float *x, const uint8_t *y, size_t count, const float *w, float intercept,
                                 float *g, double *sums)
{
    for (size_t begin = 0; begin < count; begin += RUN) {
        const size_t end = count - begin < RUN ? count : begin + RUN;
        __m512 all = _mm512_setzero_ps();

        memset(g, 0, padded(n) * sizeof *g);
        for (size_t i = begin; i < end; i += ROWS) {
            const __m512 z = _mm512_add_ps(margins_of(n, x + i * n, w), _mm512_set1_ps(intercept));
            const __m512 r = residuals_of(z, y + i);
            add_shares(n, x + i * n, r, g);
            all = _mm512_add_ps(all, r);
        }
        for (size_t j = 0; j < n; j++)
            sums[j] += (double)g[j];
        sums[n] += (double)_mm512_reduce_add_ps(all);
    }
}

#undef WIDE

#endif
