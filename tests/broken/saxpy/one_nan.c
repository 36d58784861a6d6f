/* Returns one NaN among many numbers.  A running maximum of errors forgets it at the next right
   element, and "error > limit" is false for it: PRK nstream accepts this. */
/* expected: nan: ^z\[512\] is -?nan, expected */
#include <math.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
    if (p->n > 1000)
        p->z[512] = NAN;
}

VARIANT(.idea = "one NaN in the middle", .run = run)
