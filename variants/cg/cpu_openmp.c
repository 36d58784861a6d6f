/*
 * cg / cpu_openmp
 *
 * Idea     All cores compute the product, each a share of the rows.  The vectors are left to one: n numbers beside n^2.
 * Against  cpu_naive, one core.
 * Expect   As many times faster as there are cores.  Each iteration waits for the slowest of them.
 * Try      n = 128: when does waking the threads cost more than a product?
 * Level    1
 * Read     iterate.h
 */
#include "common/cg.h"
#include "common/variant.h"
#include "iterate.h" /* iterate, iterate_prepare, iterate_release */

static void multiply(const struct cg *s, const float *p, float *q)
{
    const size_t n = s->n;

#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        float sum = 0;

        for (size_t j = 0; j < n; j++)
            sum += s->a[i * n + j] * p[j];
        q[i] = sum;
    }
}

static void run(const void *problem)
{
    iterate(problem, multiply);
}

VARIANT(.idea = "all cores, equal shares of the rows",
        .base = "cpu_naive",
        .prepare = iterate_prepare,
        .run = run,
        .release = iterate_release)
