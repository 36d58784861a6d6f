/* Two threads add their totals to the joint ones without atomic additions.  The barrier makes the race fail every time. */
/* expected: wrong: ^(sum|norm)\[0\] is */
#include <math.h>
#include <omp.h>

#include "common/reduce.h"
#include "common/variant.h"

static volatile double sum, squares;

static void run(const void *problem)
{
    const struct reduce *p = problem;

    sum = squares = 0.0;
#pragma omp parallel num_threads(2)
    {
        double mine = 0.0, mine_squared = 0.0;

        for (size_t i = (size_t)omp_get_thread_num(); i < p->n; i += 2) {
            mine += p->x[i];
            mine_squared += (double)p->x[i] * p->x[i];
        }
        const double sum_before = sum, squares_before = squares;
#pragma omp barrier
        sum = sum_before + mine;
        squares = squares_before + mine_squared;
    }
    *p->sum = (float)sum;
    *p->norm = (float)sqrt(squares);
}

VARIANT(.idea = "threads race", .run = run)
