/*
 * axxat / cpu_openmp
 *
 * Idea     All cores: the rows of Y are independent, and each core computes an equal share of them.
 * Against  cpu_naive, the same loops on one core.
 * Expect   As many times faster as there are cores: each core waits for its own additions and hardly for the others.
 * Try      --threads 1,2,4; then compare with cpu_simd, which uses a single core.
 * Level    1
 * Read     nothing else
 */
#include "common/axxat.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct axxat *p = problem;
    const size_t n = p->n;

#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            float sum = 0;

            for (size_t l = 0; l < n; l++)
                sum += p->a[i * n + l] * p->x[l * n + j] + p->x[i * n + l] * p->a[j * n + l];
            p->y[i * n + j] = sum;
        }
}

VARIANT(.idea = "all cores, equal shares of the rows", .base = "cpu_naive", .run = run)
