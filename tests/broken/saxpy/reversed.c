/* Reads the inputs in reverse order.  If all elements are equal, as in BabelStream and PRK nstream,
   the index does not matter. */
/* expected: wrong: ^z\[[01]\] is .* \(2 of 2 wrong\)$ */
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[p->n - 1 - i] + p->y[p->n - 1 - i];
}

VARIANT(.idea = "reads in reversed order", .run = run)
