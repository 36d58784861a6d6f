/* Uses element 0 for all.  BabelStream, whose arrays are constant, accepts it. */
/* expected: wrong: ^z\[1\] is .* \(1 of 2 wrong\)$ */
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[0] + p->y[0];
}

VARIANT(.idea = "reads element 0 only", .run = run)
