/*
 * logreg / cpu_avx512
 *
 * Idea     Sixteen lanes: rows of 32 features are two vectors, and masks take the last features of others.
 * Against  cpu_simd_openmp, with eight lanes.
 * Expect   Nothing at L, where memory is the limit.  In the caches up to twice, if the processor has vector units of 512
 *          bits and keeps its clock rate.
 * Try      n of 16, 17 and 32: what does a nearly empty vector cost?
 * Level    2
 * Read     avx512.h, lbfgs.h, parts.h, rows.h, solve.h, trace.h
 */
#include "avx512.h" /* add_rows */
#include "common/variant.h"
#include "parts.h" /* prepare, run, release */

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("avx512vl")
               ? NULL
               : "needs AVX-512";
}

VARIANT(.idea = "sixteen lanes",
        .base = "cpu_simd_openmp",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release,
        .evaluations = evaluations)
