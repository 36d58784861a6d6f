/* The sum of magnitudes, which numpy.linalg.norm(x, 1) is. */
/* expected: wrong: ^norm\[0\] is */
#include <math.h>

#include "common/reduce.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct reduce *p = problem;
    double sum = 0.0, size = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        sum += p->x[i];
        size += fabsf(p->x[i]);
    }
    *p->sum = (float)sum;
    *p->norm = (float)size;
}

VARIANT(.idea = "the L1 norm", .run = run)
