/*
 * compact / cpu_openmp
 *
 * Idea     All cores.  Where a part goes depends on the counts of the parts before it, so there are two steps: each thread
 *          counts its part, and when all have, it packs it behind the others.
 * Against  cpu_branchless, on one core.
 * Expect   x is read twice, so 10.4 bytes per element from memory instead of 7.2, with the lines of the answer that are
 *          read before they are written 13.6.  More cores than two or three bring nothing at M.
 * Try      A loop to `i < last` in pack(): a thread then stores one element too many, into the next thread's part.
 * Level    2
 * Read     nothing else
 */
#include <omp.h>
#include <stdlib.h>

#include "common/compact.h"
#include "common/variant.h"

enum { THREADS_FROM = 1 << 15 }; /* elements; fewer take less time than starting the threads */

static size_t *counts; /* of each thread's part */

static void prepare(const void *problem)
{
    (void)problem;
    counts = malloc((size_t)omp_get_max_threads() * sizeof *counts);
}

static size_t count_part(const float *x, size_t first, size_t last)
{
    size_t count = 0;

    for (size_t i = first; i < last; i++)
        count += x[i] == x[i];
    return count;
}

/* Ends with the last kept element, so that no store goes behind the part. */
static void pack(const float *x, float *to, size_t count)
{
    for (size_t i = 0, k = 0; k < count; i++) {
        to[k] = x[i];
        k += x[i] == x[i];
    }
}

static void run(const void *problem)
{
    const struct compact *p = problem;

#pragma omp parallel if (p->n >= THREADS_FROM)
    {
        const size_t me = (size_t)omp_get_thread_num(), threads = (size_t)omp_get_num_threads();
        const size_t first = p->n / threads * me, last = me + 1 < threads ? first + p->n / threads : p->n;
        size_t before = 0;

        counts[me] = count_part(p->x, first, last);
#pragma omp barrier
        for (size_t t = 0; t < me; t++)
            before += counts[t];
        pack(p->x + first, p->kept + before, counts[me]);
        if (me + 1 == threads)
            *p->count = before + counts[me];
    }
}

static void release(void)
{
    free(counts);
}

VARIANT(.idea = "all cores: count each part, then pack each part",
        .base = "cpu_branchless",
        .prepare = prepare,
        .run = run,
        .release = release)
