/* The squared norm. */
/* expected: wrong: ^norm\[0\] is */
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
    *p->norm = (float)squares;
}

VARIANT(.idea = "no root", .run = run)
