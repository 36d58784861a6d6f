/* Omits every other element and doubles the rest.  The sum stays about the same, so PRK nstream, which
   compares one sum, accepts it. */
/* expected: wrong: ^z\[[01]\] is  */
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = i % 2 == 0 ? 2.0f * (p->a * p->x[i] + p->y[i]) : 0.0f;
}

VARIANT(.idea = "half skipped, half doubled", .run = run)
