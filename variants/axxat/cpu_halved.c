/*
 * axxat / cpu_halved
 *
 * Idea     Structure: with a symmetric X the second term is the transpose of the first.  So Z = A X is the only product,
 *          and Y = Z + Z^T takes one pass.
 * Against  cpu_simd_openmp, which multiplies twice.
 * Expect   1.9 times as fast.  No tuning of a kernel is worth as much.
 * Try      n = 4096: the pass jumps by 16 KiB from row to row.  SIDE = 1 and SIDE = 64.
 * Level    2
 * Read     packed.h, packed_terms.h, ../matmul/kernel_avx2.h, ../matmul/kernel_avx512.h, ../matmul/packing.h
 */
#include <immintrin.h>

#include "common/axxat.h"
#include "common/variant.h"
#include "packed_terms.h" /* refuse_terms, prepare_terms, add_terms, packing_free */

enum { SIDE = 32 }; /* of a block that is exchanged with its mirror image */

static const char *refuse(const void *problem)
{
    const struct axxat *p = problem;

    return p->symmetric ? refuse_terms(problem) : "X is not symmetric, so the terms are not each other's transpose";
}

/* Adds a block on or below the diagonal to its mirror image; both get the sum. */
static void add_mirrored(float *y, size_t n, size_t i0, size_t j0)
{
    for (size_t i = i0; i < min(i0 + SIDE, n); i++)
        for (size_t j = j0; j < min(min(j0 + SIDE, n), i + 1); j++)
            y[i * n + j] = y[j * n + i] = y[i * n + j] + y[j * n + i];
}

static void run(const void *problem)
{
    const struct axxat *p = problem;

    add_terms(p, 1);
#pragma omp parallel for schedule(dynamic) if (p->n * p->n * p->n > worth_threads)
    for (size_t i = 0; i < p->n; i += SIDE)
        for (size_t j = 0; j <= i; j += SIDE)
            add_mirrored(p->y, p->n, i, j);
}

VARIANT(.idea = "a symmetric X: one product, and its transpose added",
        .base = "cpu_simd_openmp",
        .refuse = refuse,
        .prepare = prepare_terms,
        .run = run,
        .release = packing_free)
