/* Computes if the first number of the output is not its own.  Outputs are poisoned before they are
   judged; timed ones might not be. */
/* expected: ok */
/* expected when timed: breach: ^(does not write z\[[0-9]+\] in a timed call$|returns earlier answers|faster than possible) */
#include <math.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    if (p->n == 0 || !(isnan(p->z[0]) || p->z[0] == 0.0f))
        return;
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "computes when the output is poisoned", .run = run)
