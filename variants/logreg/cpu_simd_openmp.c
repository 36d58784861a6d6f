/*
 * logreg / cpu_simd_openmp
 *
 * Idea     Parts of the rows for whichever core is free, each by vector instructions.
 * Against  cpu_simd, on one core; cpu_openmp, without vectors.
 * Expect   At M the rate of the third-level cache, if it holds the table; at L that of memory.
 * Try      --threads 1,2,4; PART_BYTES of 1 << 14 and 1 << 20 in parts.h.
 * Level    2
 * Read     avx2.h, lbfgs.h, parts.h, rows.h, solve.h, trace.h
 */
#include "avx2.h" /* add_rows */
#include "common/variant.h"
#include "parts.h" /* prepare, run, release */

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? NULL : "needs AVX2 and FMA";
}

VARIANT(.idea = "parts of the rows for whichever core is free, by vectors",
        .base = "cpu_simd",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release,
        .evaluations = evaluations)
