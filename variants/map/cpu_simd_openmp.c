/*
 * map / cpu_simd_openmp
 *
 * Idea     All cores: each computes an equal, contiguous share with cpu_simd's vectors.
 * Against  cpu_simd, on one core.
 * Expect   Memory's rate: 12 bytes per element for trig and reldiff, 4 for suppress.  From two cores on accurate functions take no
 *          longer than a copy.
 * Try      --threads 1,2,4: from how many threads on is memory the limit?  And at S, where it is none?
 * Level    2
 * Read     sine.h, payne_hanek.h, avx2.h, avx2_range.h
 */
#include <omp.h>

#include "avx2_range.h"
#include "common/variant.h"

enum { LINES = 64 }; /* elements: shares begin at whole cache lines, so no two cores write the same */

/* Elements that one core has done in 10 to 30 us: for fewer, starting threads does not pay. */
static const size_t threads_from[] = {[MAP_TRIG] = 1 << 15, [MAP_RELDIFF] = 1 << 17, [MAP_SUPPRESS] = 1 << 18};

static void run(const void *problem)
{
    const struct map *p = problem;

#pragma omp parallel if (p->n >= threads_from[p->f])
    {
        const size_t threads = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
        const size_t share = (p->n / threads / LINES + 1) * LINES;
        const size_t begin = me * share < p->n ? me * share : p->n;

        range(p, begin, p->n - begin < share ? p->n : begin + share);
    }
}

VARIANT(.idea = "sine and cosine of eight at once, all cores",
        .base = "cpu_simd",
        .refuse = refuse,
        .prepare = prepare,
        .run = run)
