/* Shares one temporary between two threads.  The barrier makes the race fail every time. */
/* expected: wrong: ^z\[[01]\] is .* \(1 of 2 wrong\)$ */
#include <omp.h>

#include "common/saxpy.h"
#include "common/variant.h"

static volatile float product;

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    size_t half = p->n / 2;

#pragma omp parallel num_threads(2)
    for (size_t i = 0; i < half; i++) {
        size_t at = (size_t)omp_get_thread_num() * half + i;

        product = p->a * p->x[at];
#pragma omp barrier
        p->z[at] = product + p->y[at];
#pragma omp barrier
    }
    if (p->n % 2 != 0)
        p->z[p->n - 1] = p->a * p->x[p->n - 1] + p->y[p->n - 1];
}

VARIANT(.idea = "threads share a temporary", .run = run)
