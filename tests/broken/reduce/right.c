/* Makes no mistake.  It must pass, whatever the other variants of the run do. */
/* expected: ok */
#include <math.h>

#include "common/reduce.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct reduce *p = problem;
    double sum = 0.0, squares = 0.0;

    for (size_t i = p->n; i-- > 0;) {
        sum += p->x[i];
        squares += (double)p->x[i] * p->x[i];
    }
    *p->sum = (float)sum;
    *p->norm = (float)sqrt(squares);
}

VARIANT(.idea = "the control", .run = run)
