/* The root of the squared sum. */
/* expected: wrong: ^norm\[0\] is */
#include <math.h>

#include "common/reduce.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct reduce *p = problem;
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        sum += p->x[i];
        squares += (double)p->x[i] * p->x[i];
    }
    *p->sum = (float)sum;
    *p->norm = (float)fabs(sum);
}

VARIANT(.idea = "norm of the sum", .run = run)
