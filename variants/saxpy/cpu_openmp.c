/*
 * saxpy / cpu_openmp
 *
 * Idea     All cores: each takes an equal, contiguous share of the elements.
 * Against  cpu_naive, the same loop on one core.
 * Expect   Only as much more as the memory gives to all cores together; often less than the number
 *          of cores.  Below some ten thousand elements, starting the threads costs more than it saves.
 * Try      --threads 1, 2, 4, ...: from where on does the rate stop rising?
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
