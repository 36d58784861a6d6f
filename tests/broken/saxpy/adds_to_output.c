/* Computes z += instead of z =, as BLAS does: right as long as the output happens to be zero. */
/* expected: nan: ^z\[0\] is -?nan, expected */
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] += p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "adds to what is in the output", .run = run)
