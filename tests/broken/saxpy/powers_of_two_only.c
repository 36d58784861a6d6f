/* Masks where it should divide.  Sizes that are powers of two, the usual ones, do not show it. */
/* expected: wrong: ^z\[1\] is .* \(1 of 3 wrong\)$ */
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    size_t mask = p->n - 1;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i & mask] + p->y[i & mask];
}

VARIANT(.idea = "right for powers of two only", .run = run)
