/* Returns the wrong sign everywhere.  PRK nstream sums absolute values and accepts it. */
/* expected: wrong: ^z\[0\] is .* \(1 of 1 wrong\)$ */
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = -(p->a * p->x[i] + p->y[i]);
}

VARIANT(.idea = "flips the sign", .run = run)
