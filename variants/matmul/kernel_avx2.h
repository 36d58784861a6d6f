/*
 * The AVX2 micro-kernel of cpu_simd and cpu_simd_openmp: a tile of C, 6 rows of 16 columns, in 12
 * of the 16 vector registers.  Two more hold a row of B, one an element of A in all lanes.
 *
 * An FMA unit takes a new instruction every cycle and returns its result four cycles later; with
 * two units, eight independent sums must be under way.  Twelve are.
 */
#ifndef RUNGS_MATMUL_KERNEL_AVX2_H
#define RUNGS_MATMUL_KERNEL_AVX2_H

#include <immintrin.h>

#include "packing.h"

__attribute__((target("avx2,fma"))) static void tile_avx2(size_t k, const float *a, const float *b,
                                                          float *c, size_t stride, bool add)
{
    __m256 sum[6][2];

    /* The tile of C is needed when the sums are done: prefetch it meanwhile. */
#pragma GCC unroll 6
    for (int i = 0; i < 6; i++) {
        sum[i][0] = sum[i][1] = _mm256_setzero_ps();
        _mm_prefetch((const char *)(c + i * stride), _MM_HINT_T0);
    }

    for (size_t l = 0; l < k; l++, a += 6, b += 16) {
        const __m256 b0 = _mm256_load_ps(b), b1 = _mm256_load_ps(b + 8);

#pragma GCC unroll 6
        for (int i = 0; i < 6; i++) {
            const __m256 ai = _mm256_broadcast_ss(a + i);

            sum[i][0] = _mm256_fmadd_ps(ai, b0, sum[i][0]);
            sum[i][1] = _mm256_fmadd_ps(ai, b1, sum[i][1]);
        }
    }

#pragma GCC unroll 6
    for (int i = 0; i < 6; i++, c += stride) {
        if (add) {
            sum[i][0] = _mm256_add_ps(sum[i][0], _mm256_loadu_ps(c));
            sum[i][1] = _mm256_add_ps(sum[i][1], _mm256_loadu_ps(c + 8));
        }
        _mm256_storeu_ps(c, sum[i][0]);
        _mm256_storeu_ps(c + 8, sum[i][1]);
    }
}

/* 384 x 16 floats of B are 24 KiB, in L1. */
static const struct kernel kernel_avx2 = {.tile = tile_avx2, .rows = 6, .cols = 16, .depth = 384};

#endif
