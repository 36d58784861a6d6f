/*
 * qr / cpu_simd
 *
 * Idea     Blocks of rows that fit a cache, and AVX2: up to 32 columns of a reflection's inner products are in registers.
 * Against  cpu_naive, which reads the whole matrix for each column, in float64.
 * Expect   A block comes from memory once and from a cache n times.  Each multiply-add needs a load: half of the peak at most.
 * Try      Two rows at a time in the first loop of reflect_strip: are there too few independent sums at n = 16?
 * Level    2
 * Read     tsqr.h, reflect_avx2.h
 */
#include "common/qr.h"
#include "common/variant.h"
#include "reflect_avx2.h" /* refuse_avx2, reflect_avx2; tsqr, tsqr_prepare, tsqr_release */

static void run(const void *problem)
{
    tsqr(problem, 1, reflect_avx2);
}

VARIANT(.idea = "blocks of rows that fit a cache, eight columns an instruction, one core",
        .base = "cpu_naive",
        .refuse = refuse_avx2,
        .prepare = tsqr_prepare,
        .run = run,
        .release = tsqr_release)
