/* compact: how AVX2 packs eight elements at a time. */
#ifndef RUNGS_COMPACT_AVX2_H
#define RUNGS_COMPACT_AVX2_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

/* For each set of kept lanes their numbers, one per byte, in order: 0b10110 has 4, 2, 1 in its upper of three bytes. */
static uint64_t permutations[256];

static inline void permutations_make(void)
{
    for (unsigned keeps = 0; keeps < 256; keeps++) {
        unsigned count = 0;

        permutations[keeps] = 0;
        for (uint64_t lane = 0; lane < 8; lane++)
            if (keeps >> lane & 1)
                permutations[keeps] |= lane << 8 * count++;
    }
}

/* Packs x[0] ... x[n - 1] and returns how many are kept.  Writes whole vectors, but never behind to[n - 1]. */
__attribute__((target("avx2,popcnt"))) static inline size_t pack_avx2(const float *x, size_t n, float *to)
{
    size_t count = 0, i = 0;

    for (; i + 8 <= n; i += 8) {
        const __m256 v = _mm256_loadu_ps(x + i);
        const int keeps = _mm256_movemask_ps(_mm256_cmp_ps(v, v, _CMP_ORD_Q));
        const __m256i lanes = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)&permutations[keeps]));

        _mm256_storeu_ps(to + count, _mm256_permutevar8x32_ps(v, lanes)); /* count <= i */
        count += (size_t)_mm_popcnt_u32((unsigned)keeps);
    }
    for (; i < n; i++) {
        to[count] = x[i];
        count += x[i] == x[i];
    }
    return count;
}

#endif
