/* Returns one infinity among many numbers. */
/* expected: nan: ^z\[512\] is inf, expected */
#include <math.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
    if (p->n > 1000)
        p->z[512] = INFINITY;
}

VARIANT(.idea = "one infinity in the middle", .run = run)
