/*
 * qr / cpu_simd_openmp
 *
 * Idea     cpu_simd on all cores: blocks of rows do not depend on each other, and only the tree of their R does.
 * Against  cpu_simd, one core.
 * Expect   Near the number of cores where there are many more blocks than cores; nothing where there is one.
 * Try      Count the levels at M and at SQ.  On how many blocks does each of them work?
 * Level    2
 * Read     tsqr.h, reflect_avx2.h
 */
#include <omp.h>

#include "common/qr.h"
#include "common/variant.h"
#include "reflect_avx2.h" /* refuse_avx2, reflect_avx2; tsqr, tsqr_prepare, tsqr_release */

static void run(const void *problem)
{
    tsqr(problem, omp_get_max_threads(), reflect_avx2);
}

VARIANT(.idea = "blocks of rows on all cores, eight columns an instruction",
        .base = "cpu_simd",
        .refuse = refuse_avx2,
        .prepare = tsqr_prepare,
        .run = run,
        .release = tsqr_release)
