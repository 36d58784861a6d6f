/*
 * The AVX-512 micro-kernel of cpu_avx512 and cpu_simd_openmp: a tile of C, 12 rows of 32 columns,
 * in 24 of the 32 vector registers.  It is kernel_avx2.h with registers twice as wide, and twice
 * as many: each element loaded is used twice as often as there.
 */
#ifndef RUNGS_MATMUL_KERNEL_AVX512_H
#define RUNGS_MATMUL_KERNEL_AVX512_H

#include <immintrin.h>

#include "packing.h"

__attribute__((target("avx512f"))) static void tile_avx512(size_t k, const float *a, const float *b,
                                                           float *c, size_t stride, bool add)
{
    __m512 sum[12][2];

    /* The tile of C is needed when the sums are done: prefetch it meanwhile. */
#pragma GCC unroll 12
    for (int i = 0; i < 12; i++) {
        sum[i][0] = sum[i][1] = _mm512_setzero_ps();
        _mm_prefetch((const char *)(c + i * stride), _MM_HINT_T0);
        _mm_prefetch((const char *)(c + i * stride + 16), _MM_HINT_T0);
    }

    for (size_t l = 0; l < k; l++, a += 12, b += 32) {
        const __m512 b0 = _mm512_load_ps(b), b1 = _mm512_load_ps(b + 16);

#pragma GCC unroll 12
        for (int i = 0; i < 12; i++) {
            const __m512 ai = _mm512_set1_ps(a[i]);

            sum[i][0] = _mm512_fmadd_ps(ai, b0, sum[i][0]);
            sum[i][1] = _mm512_fmadd_ps(ai, b1, sum[i][1]);
        }
    }

#pragma GCC unroll 12
    for (int i = 0; i < 12; i++, c += stride) {
        if (add) {
            sum[i][0] = _mm512_add_ps(sum[i][0], _mm512_loadu_ps(c));
            sum[i][1] = _mm512_add_ps(sum[i][1], _mm512_loadu_ps(c + 16));
        }
        _mm512_storeu_ps(c, sum[i][0]);
        _mm512_storeu_ps(c + 16, sum[i][1]);
    }
}

/* 1024 x 32 floats of B are 128 KiB: as wide as that, they come from L2 in good time. */
static const struct kernel kernel_avx512 = {
    .tile = tile_avx512, .rows = 12, .cols = 32, .depth = 1024};

#endif
