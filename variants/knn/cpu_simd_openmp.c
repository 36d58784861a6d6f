/*
 * knn / cpu_simd_openmp
 *
 * Idea     All cores, each with vector instructions.  The cores share the preparation of the references,
 *          too.  It is little work, but if one core did it alone, all others would wait.
 * Against  cpu_simd, the same on one core.
 * Expect   As many times faster as there are cores, because each works from its own caches.  With few
 *          observations, the time is that of starting threads and preparing the references.
 * Try      m = 2^8, 2^12, 2^16 at n = 2^10: from which size on do all cores pay?
 * Level    2
 * Read     avx2.h, exact.h, simd.h
 */
#include <immintrin.h>
#include <omp.h>

#include "common/knn.h"
#include "common/variant.h"
#include "avx2.h" /* LANES, needs_avx2, vectors */

enum { GROUP = 4, PASS = GROUP }; /* observations that share each load */

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

VARIANT(.idea = "AVX2 on all cores, each with its share of the observations",
        .base = "cpu_simd",
        .math = MATH_F32,
        .refuse = needs_avx2,
        .prepare = prepare,
        .run = run,
        .release = workers_free)
