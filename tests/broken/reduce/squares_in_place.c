/* Squares its input in place, as a published kernel does: the inputs are read-only. */
/* expected: breach: ^writes its input x */
#include <math.h>

#include "common/reduce.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct reduce *p = problem;
    double sum = 0.0, squares = 0.0;
    float *x = (float *)p->x;

    for (size_t i = 0; i < p->n; i++) {
        sum += x[i];
        x[i] *= x[i];
        squares += x[i];
    }
    *p->sum = (float)sum;
    *p->norm = (float)sqrt(squares);
}

VARIANT(.idea = "squares in place", .run = run)
