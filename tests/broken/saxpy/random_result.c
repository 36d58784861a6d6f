/* Returns a different answer in every call. */
/* expected: wrong: ^z\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include <stdlib.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i] + (float)rand() / (float)RAND_MAX;
}

VARIANT(.idea = "adds noise", .run = run)
