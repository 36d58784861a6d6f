/*
 * Sixteen lanes: what the transforms of lanes.h need of AVX-512.  avx2.h has the same for eight.
 * One instruction, the permutation of two registers, does all moving between lanes: position i of
 * its result comes from position index[i] of both registers in a row, 16 and more in the second.
 */
#ifndef RUNGS_FFT_AVX512_H
#define RUNGS_FFT_AVX512_H

#include <immintrin.h>

#include "common/fft.h"

/* Without the attribute a function may not use the registers, not even by inlining one that may. */
#define SIMD __attribute__((target("avx512f")))
#define SIMD_INLINE __attribute__((target("avx512f"), always_inline)) static inline

#define REGISTER __m512
enum { LANES = 16 };

struct vec { /* a number of each of sixteen transforms; 128 bytes, two cache lines */
    REGISTER re, im;
};

static const char *simd_missing(void)
{
    return __builtin_cpu_supports("avx512f") ? NULL : "needs a CPU with AVX-512";
}

SIMD_INLINE struct vec vec_all(struct cpx a) /* the same number in all lanes */
{
    return (struct vec){_mm512_set1_ps(a.re), _mm512_set1_ps(a.im)};
}

SIMD_INLINE struct vec vec_load(const struct cpx *x) /* lane i = x[i] */
{
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd =
        _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    __m512 a = _mm512_loadu_ps(x), b = _mm512_loadu_ps(x + LANES / 2);

    return (struct vec){_mm512_permutex2var_ps(a, even, b), _mm512_permutex2var_ps(a, odd, b)};
}

SIMD_INLINE void vec_store(struct cpx *x, struct vec v) /* x[i] = lane i */
{
    const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i high =
        _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);

    _mm512_storeu_ps(x, _mm512_permutex2var_ps(v.re, low, v.im));
    _mm512_storeu_ps(x + LANES / 2, _mm512_permutex2var_ps(v.re, high, v.im));
}

/* One step of a transposition: of every 2h by 2h block, the two off-diagonal h by h blocks change
   places.  Lanes with bit h of their number set get those h to the left of them in the lower row,
   and give theirs. */
SIMD_INLINE void swap_blocks(int h, REGISTER row[LANES])
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __mmask16 right = _mm512_test_epi32_mask(lane, _mm512_set1_epi32(h));
    const __m512i upper = _mm512_mask_add_epi32(lane, right, lane, _mm512_set1_epi32(LANES - h));
    const __m512i lower = _mm512_add_epi32(upper, _mm512_set1_epi32(h));

    for (int i = 0; i < LANES; i++)
        if ((i & h) == 0) {
            __m512 a = row[i], b = row[i + h];

            row[i] = _mm512_permutex2var_ps(a, upper, b);
            row[i + h] = _mm512_permutex2var_ps(a, lower, b);
        }
}

/* row[i] lane j <-> row[j] lane i */
SIMD_INLINE void transpose(REGISTER row[LANES])
{
    swap_blocks(1, row);
    swap_blocks(2, row);
    swap_blocks(4, row);
    swap_blocks(8, row);
}

#endif
