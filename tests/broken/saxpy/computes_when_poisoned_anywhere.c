/* Checks the whole output for poison; a call that finds none does nothing. */
/* expected: ok */
/* expected when timed: (wrong|breach): ^(z\[[0-9]+\] is|returns earlier answers|faster than possible) */
#include <math.h>
#include <stdbool.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    bool whole = p->n > 0 && p->z[0] != 0.0f;

    for (size_t i = 0; i < p->n && whole; i++)
        whole = !isnan(p->z[i]);
    for (size_t i = 0; i < p->n && !whole; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "computes when there is poison anywhere", .run = run)
