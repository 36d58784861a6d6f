/* Whole vectors of eight only. */
/* expected: wrong: ^(sum|norm)\[0\] is */
#include <math.h>

#include "common/reduce.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct reduce *p = problem;
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < p->n / 8 * 8; i++) {
        sum += p->x[i];
        squares += (double)p->x[i] * p->x[i];
    }
    *p->sum = (float)sum;
    *p->norm = (float)sqrt(squares);
}

VARIANT(.idea = "drops the tail", .run = run)
