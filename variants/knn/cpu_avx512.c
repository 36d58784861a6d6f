/*
 * knn / cpu_avx512
 *
 * Idea     Vectors of sixteen: AVX-512 instead of AVX2.  The algorithm is the same.  With 32 registers
 *          instead of 16, all twelve coordinates of four observations stay in registers.
 * Against  cpu_simd, with vectors of eight.
 * Expect   Twice as many pairs where the CPU's units are 512 bits wide; nothing where it splits the work in
 *          halves.  What an answer costs besides its pairs stays the same, and so is a larger share.
 * Try      n = 2^10 against n = 2^14: which share of the time is not spent on pairs?
 * Level    2
 * Read     avx512.h, exact.h, simd.h
 */
#include <immintrin.h>

#include "common/knn.h"
#include "common/variant.h"
#include "avx512.h" /* LANES, needs_avx512, vectors */

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

VARIANT(.idea = "AVX-512: sixteen pairs an instruction",
        .base = "cpu_simd",
        .math = MATH_F32,
        .refuse = needs_avx512,
        .prepare = prepare,
        .run = run,
        .release = workers_free)
