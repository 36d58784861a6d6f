/*
 * cg / cpu_simd
 *
 * Idea     Eight products an instruction, and four rows at a time, by AVX2 and FMA.
 * Against  cpu_naive: one product at a time, each waiting for the one before.
 * Expect   Bound by memory where A exceeds the caches: 4 n^2 bytes an iteration.
 * Try      n = 512 and n = 8192: how many bytes pass in a second?
 * Level    2
 * Read     iterate.h, rows_avx2.h
 */
#include <immintrin.h>

#include "common/cg.h"
#include "common/variant.h"
#include "iterate.h"   /* iterate, iterate_prepare, iterate_release */
#include "rows_avx2.h" /* refuse_avx2, multiply_rows, ROWS */

static void multiply(const struct cg *s, const float *p, float *q)
{
    for (size_t i = 0; i < s->n; i += ROWS)
        multiply_rows(s, p, q, i);
}

static void run(const void *problem)
{
    iterate(problem, multiply);
}

VARIANT(.idea = "AVX2 and FMA, four rows at a time",
        .base = "cpu_naive",
        .refuse = refuse_avx2,
        .prepare = iterate_prepare,
        .run = run,
        .release = iterate_release)
