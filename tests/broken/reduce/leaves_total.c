/* A total that is not set back: the second call adds to that of the first. */
/* expected: wrong: ^sum\[0\] is */
#include <math.h>

#include "common/reduce.h"
#include "common/variant.h"

static double total;

static void run(const void *problem)
{
    const struct reduce *p = problem;
    double squares = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        total += p->x[i];
        squares += (double)p->x[i] * p->x[i];
    }
    *p->sum = (float)total;
    *p->norm = (float)sqrt(squares);
}

VARIANT(.idea = "keeps its total", .run = run)
