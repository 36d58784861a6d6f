/* One running total in float32, as in most first programs: it loses what comes late. */
/* expected: wrong: ^(sum|norm)\[0\] is */
#include <math.h>

#include "common/reduce.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct reduce *p = problem;
    float sum = 0.0f;
    double squares = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        sum += p->x[i];
        squares += (double)p->x[i] * p->x[i];
    }
    *p->sum = sum;
    *p->norm = (float)sqrt(squares);
}

VARIANT(.idea = "float32 total", .run = run)
