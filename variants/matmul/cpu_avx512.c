/*
 * matmul / cpu_avx512
 *
 * Idea     Vectors of 16 floats, and 32 registers for them: a tile of 12 x 32 sums.  The
 *          micro-kernel is in kernel_avx512.h.
 * Against  cpu_simd: everything else is the same.
 * Expect   Twice as fast where the CPU has two units of full width.  The same speed or less where
 *          it has one, or splits such an instruction into halves.  Packing and the loads and stores
 *          of C cost what they did, so they are twice the share.
 * Try      Take the two prefetches out of kernel_avx512.h.  Why does cpu_simd need its one less?
 * Level    2
 * Read     kernel_avx512.h, packing.h
 */
#include <immintrin.h>

#include "common/matmul.h"
#include "common/variant.h"
#include "kernel_avx512.h" /* kernel_avx512 */
#include "packing.h"       /* packing_alloc, packing_free, pack_a, pack_b, multiply_block */

/* 120 rows of A, 1024 deep, are 480 KiB: they stay in the second-level cache. */
enum { BLOCK_ROWS = 120 };

static const char *refuse(const void *problem)
{
    (void)problem;
    if (!__builtin_cpu_supports("avx512f"))
        return "this CPU has no AVX-512";
    return NULL;
}

static void prepare(const void *problem)
{
    packing_alloc(&kernel_avx512, problem);
}

static void run(const void *problem)
{
    const struct matmul *p = problem;
    size_t l = 0;

    do { /* once even for k = 0: that writes the zeros */
        const size_t depth = min(slice_depth(&kernel_avx512, p->k), p->k - l);

        for (size_t i = 0; i < p->m; i += kernel_avx512.rows)
            pack_a(&kernel_avx512, p, i, l, depth, &a_packed[i * depth]);
        for (size_t j = 0; j < p->n; j += kernel_avx512.cols)
            pack_b(&kernel_avx512, p, j, l, depth, &b_packed[j * depth]);
        for (size_t i = 0; i < p->m; i += BLOCK_ROWS)
            multiply_block(&kernel_avx512, p, i, min(i + BLOCK_ROWS, p->m), 0, p->n, depth, l > 0,
                           &a_packed[i * depth], b_packed);
        l += depth;
    } while (l < p->k);
}

VARIANT(.idea = "an AVX-512 micro-kernel",
        .base = "cpu_simd",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = packing_free)
