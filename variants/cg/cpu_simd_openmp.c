/*
 * cg / cpu_simd_openmp
 *
 * Idea     All cores, each with AVX2.
 * Against  cpu_simd, one core.
 * Expect   The rate of memory, which one core does not reach on most machines.
 * Try      --threads 1,2,4,8: from how many on does memory not deliver more?
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
#pragma omp parallel for schedule(static) if (s->n >= 128) /* less takes no longer than waking the threads */
    for (size_t i = 0; i < s->n; i += ROWS)
        multiply_rows(s, p, q, i);
}

static void run(const void *problem)
{
    iterate(problem, multiply);
}

VARIANT(.idea = "all cores, each with AVX2",
        .base = "cpu_simd",
        .refuse = refuse_avx2,
        .prepare = iterate_prepare,
        .run = run,
        .release = iterate_release)
