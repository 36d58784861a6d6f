/*
 * reduce / cpu_openmp
 *
 * Idea     All cores, by one line: reduction(+: ...) gives each thread totals of its own and adds them up at the end.
 * Against  cpu_naive, the same loop on one core.
 * Expect   As many times faster as there are cores, since each core still waits for its own additions, until memory is
 *          the limit.  OpenMP does not say in which order the threads' totals are added: with three threads or more
 *          the last bits may differ from call to call (flag V).
 * Try      --threads 1,2,4.  Then sum with totals of float: how many elements may a thread have?
 * Level    1
 * Read     nothing else
 */
#include <math.h>

#include "common/reduce.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct reduce *p = problem;
    double sum = 0.0, squares = 0.0;

#pragma omp parallel for schedule(static) reduction(+ : sum, squares)
    for (size_t i = 0; i < p->n; i++) {
        const double x = p->x[i];
        sum += x;
        squares += x * x;
    }
    *p->sum = (float)sum;
    *p->norm = (float)sqrt(squares);
}

VARIANT(.idea = "all cores by a reduction clause", .base = "cpu_naive", .math = MATH_F64, .run = run)
