/* Leaves the processor rounding upwards. */
/* expected: breach: ^leaves the rounding mode changed$ */
#include <fenv.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    fesetround(FE_UPWARD);
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "leaves the rounding mode changed", .run = run)
