/* Adds two slices of a long sum to C by two threads at once, and loses one.  The barrier makes that
   happen every time. */
/* expected: wrong: ^c\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include <omp.h>

#include "common/matmul.h"
#include "common/variant.h"

static float slice(const struct matmul *p, size_t i, size_t j, size_t first, size_t last)
{
    float sum = 0.0f;

    for (size_t l = first; l < last; l++)
        sum += p->a[i * p->k + l] * p->b[l * p->n + j];
    return sum;
}

static void run(const void *problem)
{
    const struct matmul *p = problem;
    size_t half = p->k / 2, count = p->m * p->n;

    for (size_t at = 0; at < count; at++)
        p->c[at] = 0.0f;
#pragma omp parallel num_threads(2)
    for (size_t at = 0; at < count; at++) {
        size_t first = omp_get_thread_num() == 0 ? 0 : half;
        size_t last = omp_get_thread_num() == 0 ? half : p->k;
        float before = p->c[at];
#pragma omp barrier
        p->c[at] = before + slice(p, at / p->n, at % p->n, first, last);
#pragma omp barrier
    }
}

VARIANT(.idea = "a lost update", .run = run)
