/*
 * matmul / cpu_simd
 *
 * Idea     A micro-kernel of AVX2 and FMA instructions: 8 floats per instruction, which multiplies
 *          and adds at once.  It is in kernel_avx2.h; read that first.
 * Against  cpu_packed: the same packing and blocks, with a tile that the compiler vectorised.
 * Expect   Bound by arithmetic: most cores start two FMA instructions a cycle, and nearly all of
 *          the time is spent there.  Packing costs one copy per 2*m (B) or 2*n (A) flops.
 * Try      A tile of 4 x 16 in kernel_avx2.h: eight independent sums, just enough for two FMA
 *          units.  Then 8 x 16, which needs more registers than there are.
 * Level    2
 * Read     kernel_avx2.h, packing.h
 */
#include <immintrin.h>

#include "common/matmul.h"
#include "common/variant.h"
#include "kernel_avx2.h" /* kernel_avx2 */
#include "packing.h"     /* packing_alloc, packing_free, pack_a, pack_b, multiply_block */

/* 240 rows of A, 384 deep, are 360 KiB: they stay in the second-level cache. */
enum { BLOCK_ROWS = 240 };

static const char *refuse(const void *problem)
{
    (void)problem;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return "this CPU has no AVX2 and FMA";
    return NULL;
}

static void prepare(const void *problem)
{
    packing_alloc(&kernel_avx2, problem);
}

static void run(const void *problem)
{
    const struct matmul *p = problem;
    size_t l = 0;

    do { /* once even for k = 0: that writes the zeros */
        const size_t depth = min(slice_depth(&kernel_avx2, p->k), p->k - l);

        for (size_t i = 0; i < p->m; i += kernel_avx2.rows)
            pack_a(&kernel_avx2, p, i, l, depth, &a_packed[i * depth]);
        for (size_t j = 0; j < p->n; j += kernel_avx2.cols)
            pack_b(&kernel_avx2, p, j, l, depth, &b_packed[j * depth]);
        for (size_t i = 0; i < p->m; i += BLOCK_ROWS)
            multiply_block(&kernel_avx2, p, i, min(i + BLOCK_ROWS, p->m), 0, p->n, depth, l > 0,
                           &a_packed[i * depth], b_packed);
        l += depth;
    } while (l < p->k);
}

VARIANT(.idea = "an AVX2 and FMA micro-kernel",
        .base = "cpu_packed",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = packing_free)
