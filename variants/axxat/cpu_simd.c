/*
 * axxat / cpu_simd
 *
 * Idea     One product of depth 2n, (A, X) times (X over A^T), by matmul's micro-kernel of AVX2 and FMA instructions.
 *          Packing transposes A on the way, so that X A^T costs what A X costs.
 * Against  cpu_naive: one product an instruction, and columns read from memory.
 * Expect   Bound by arithmetic: 0.85 of one core's multiply-adds.
 * Try      Leave out term 1, and multiply by 2: that is right for some A and X.  Which?
 * Level    2
 * Read     packed.h, ../matmul/kernel_avx2.h, ../matmul/packing.h
 */
#include <immintrin.h>

#include "common/axxat.h"
#include "common/variant.h"
#include "packed.h" /* packed_alloc, pack_left, pack_right, add_block; packing_free */
#include "../matmul/kernel_avx2.h" /* kernel_avx2 */

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
    packed_alloc(&kernel_avx2, problem);
}

static void add_term(const struct axxat *p, int term)
{
    const size_t n = p->n, most = slice_depth(&kernel_avx2, n);

    for (size_t l = 0; l < n; l += most) {
        const size_t depth = min(most, n - l);

        for (size_t i = 0; i < n; i += kernel_avx2.rows)
            pack_left(&kernel_avx2, p, term, i, l, depth);
        for (size_t j = 0; j < n; j += kernel_avx2.cols)
            pack_right(&kernel_avx2, p, term, j, l, depth);
        for (size_t i = 0; i < n; i += BLOCK_ROWS)
            add_block(&kernel_avx2, p, i, min(i + BLOCK_ROWS, n), 0, n, depth, term > 0 || l > 0);
    }
}

static void run(const void *problem)
{
    add_term(problem, 0);
    add_term(problem, 1);
}

VARIANT(.idea = "one product of depth 2n by an AVX2 and FMA micro-kernel",
        .base = "cpu_naive",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = packing_free)
