/* Adds up one block of 1024. */
/* expected: wrong: ^(sum|norm)\[0\] is */
#include <math.h>

#include "common/reduce.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct reduce *p = problem;
    const size_t n = p->n < 1024 ? p->n : 1024;
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < n; i++) {
        sum += p->x[i];
        squares += (double)p->x[i] * p->x[i];
    }
    *p->sum = (float)sum;
    *p->norm = (float)sqrt(squares);
}

VARIANT(.idea = "the first block only", .run = run)
