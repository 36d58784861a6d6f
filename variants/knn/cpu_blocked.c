/*
 * knn / cpu_blocked
 *
 * Idea     A block of references, 12 KB, stays in the first-level cache while 64 observations go through it;
 *          only then comes the next block (answer_pass in simd.h).  On all cores.
 * Against  cpu_avx512, where every four observations go through all references, and one core.
 * Expect   Bound by multiply-add on every core.  Blocks help only where the references are more than the
 *          first-level cache holds; cores help always.
 * Try      PASS = 4, which is no blocking, at n = 2^10 and at n = 2^16.
 * Level    2
 * Read     avx512.h, exact.h, simd.h
 */
#include <immintrin.h>
#include <omp.h>

#include "common/knn.h"
#include "common/variant.h"
#include "avx512.h" /* LANES, needs_avx512, vectors */

enum { GROUP = 4, PASS = 64 }; /* observations that share each load; that share a block in the cache */

#include "simd.h" /* workers_new, workers_free, answer_pass; ref, packed */

static void prepare(const void *problem)
{
    workers_new(problem, (size_t)omp_get_max_threads());
}

static void run(const void *problem)
{
    const struct knn *p = problem;

#pragma omp parallel num_threads((int)worker_count)
    {
        unit_vectors(p, ref); /* these two share their loops among the threads */
        pack(ref, p->n, LANES, packed);
#pragma omp for schedule(static)
        for (size_t i = 0; i < p->m; i += PASS)
            answer_pass(&workers[omp_get_thread_num()], p, i, p->m - i < PASS ? p->m - i : PASS);
    }
}

VARIANT(.idea = "blocks of references stay in cache, on all cores",
        .base = "cpu_avx512",
        .math = MATH_F32,
        .refuse = needs_avx512,
        .prepare = prepare,
        .run = run,
        .release = workers_free)
