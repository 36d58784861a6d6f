/*
 * align / cpu_openmp
 *
 * Idea     All cores: rows do not need each other, and neither do columns.  The cores share each step and wait for each
 *          other between two steps.
 * Against  cpu_blocked, on one core.
 * Expect   Faster by nearly the number of cores.  The search for the peak stays on one core, which is a small part.
 * Try      --threads 1,2,4.  Many small pairs: sharing whole pairs instead of steps.
 * Level    2
 * Read     peak.h, real.h, spectrum.h
 */
#include <omp.h>

#include "common/align.h"
#include "common/variant.h"
#include "real.h" /* the three steps */

enum { WIDE = 16 }; /* columns: two cache lines of a row */

static struct real steps;

static void prepare(const void *problem)
{
    real_prepare(&steps, problem, WIDE, (size_t)omp_get_max_threads());
}

static void run(const void *problem)
{
    const struct align *p = problem;

    for (size_t pair = 0; pair < p->pairs; pair++) {
        const size_t first = pair * p->rows * p->cols;

#pragma omp parallel
        {
            struct cpx *line = steps.lines + (size_t)omp_get_thread_num() * steps.numbers;

#pragma omp for schedule(static) /* each loop ends with a barrier: a column needs all rows */
            for (size_t r = 0; r < p->rows; r++)
                real_row(&steps, p->a + first, p->b + first, r, line);
#pragma omp for schedule(dynamic)
            for (size_t v = 0; v < steps.half; v += WIDE)
                real_columns(&steps, v, WIDE, p->eps[pair], line);
#pragma omp for schedule(static)
            for (size_t r = 0; r < p->rows; r += 2)
                real_back(&steps, r, line);
        }
        real_peak(&steps, p, pair);
    }
}

static void release(void)
{
    real_release(&steps);
}

VARIANT(.idea = "all cores share each step",
        .base = "cpu_blocked",
        .prepare = prepare,
        .run = run,
        .release = release)
