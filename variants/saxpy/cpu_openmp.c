/*
 * saxpy / cpu_openmp
 *
 * Idea     All cores: each computes an equal, contiguous share of the elements.
 * Against  cpu_naive, the same loop on one core.
 * Expect   The speed-up ends at the rate at which memory serves all cores together, often below the
 *          number of cores.  Below some ten thousand elements, starting the threads costs more than
 *          they save.
 * Try      --threads 1,2,4: at how many threads does the rate stop rising?
 * Level    1
 * Read     nothing else
 */
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "all cores, equal shares", .base = "cpu_naive", .run = run)
