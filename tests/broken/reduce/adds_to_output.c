/* Adds to what is in the output. */
/* expected: wrong: ^the sum of no numbers is */
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
    *p->sum += (float)sum;
    *p->norm = (float)sqrt(squares);
}

VARIANT(.idea = "adds to the output", .run = run)
