/*
 * map / cpu_openmp
 *
 * Idea     All cores: each computes an equal, contiguous share of the elements with the C library's functions.
 * Against  cpu_naive, the same loops on one core.
 * Expect   trig: as many times as fast as there are cores, since arithmetic is the limit.  reldiff and suppress: until memory is.
 * Try      --threads 1,2,4 with --f trig and with --f suppress: which of them gains from each core?
 * Level    1
 * Read     nothing else
 */
#include <math.h>
#include <stdlib.h>

#include "common/map.h"
#include "common/variant.h"

static void trig(const struct map *p)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = cosf(p->x[i]) + sinf(p->y[i]);
}

static void reldiff(const struct map *p)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = 2.0f * (p->x[i] - p->y[i]) / (p->x[i] + p->y[i]);
}

static void suppress(const struct map *p)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->n; i++)
        p->z16[i] = (int16_t)(abs((int)p->x16[i]) > p->threshold ? p->x16[i] : 0);
}

static void run(const void *problem)
{
    const struct map *p = problem;

    if (p->f == MAP_TRIG)
        trig(p);
    else if (p->f == MAP_RELDIFF)
        reldiff(p);
    else
        suppress(p);
}

VARIANT(.idea = "all cores, equal shares", .base = "cpu_naive", .run = run)
