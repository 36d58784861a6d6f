/* Omits the last element.  A check of the first few elements, or of an average, does not show it. */
/* expected: nan: ^z\[0\] is -?nan, expected */
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i + 1 < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "misses the last element", .run = run)
