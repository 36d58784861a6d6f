/* Computes in every second call.  The others find the answer there, unless the start of the output is
   poisoned. */
/* expected: ok */
/* expected when timed: (wrong|breach): ^(z\[[0-9]+\] is|does not write z\[[0-9]+\] in a timed call$|returns earlier answers|faster than possible) */
#include <math.h>
#include <stdbool.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static bool computed;

    computed = !computed || p->n == 0 || isnan(p->z[0]);
    for (size_t i = 0; i < p->n && computed; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "computes in every second call", .run = run)
