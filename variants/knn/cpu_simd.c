/*
 * knn / cpu_simd
 *
 * Idea     Vector instructions by name: AVX2 with fused multiply-add, eight pairs at a time (avx2.h, simd.h).
 *          Four observations go through the references together, so that each vector of references is
 *          loaded once and used four times.
 * Against  cpu_tiles, for any CPU: the compiler chooses its instructions, one observation at a time.
 * Expect   Bound by the two units for multiply-add: three multiply-adds for eight pairs.  Loads and maxima
 *          use other units, at the same time.
 * Try      GROUP = 1, 2, 8: when do the loads become the limit, and when do 16 registers run out?
 * Level    2
 * Read     avx2.h, exact.h, simd.h
 */
#include <immintrin.h>

#include "common/knn.h"
#include "common/variant.h"
#include "avx2.h" /* LANES, needs_avx2, vectors */

enum { GROUP = 4, PASS = GROUP }; /* observations that share each load */

#include "simd.h" /* workers_new, workers_free, answer_pass; ref, packed */

static void prepare(const void *problem)
{
    workers_new(problem, 1);
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    unit_vectors(p, ref);
    pack(ref, p->n, LANES, packed);
    for (size_t i = 0; i < p->m; i += PASS)
        answer_pass(workers, p, i, p->m - i < PASS ? p->m - i : PASS);
}

VARIANT(.idea = "AVX2: eight pairs an instruction; four observations share each load",
        .base = "cpu_tiles",
        .math = MATH_F32,
        .refuse = needs_avx2,
        .prepare = prepare,
        .run = run,
        .release = workers_free)
