/* Reads far beyond the end of its input, where nothing of the case lies. */
/* expected: breach: ^reads [0-9]+ bytes past the end of y in run, reads_far_away\.c:[0-9]+$ */
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i << 28] + p->y[i];
}

VARIANT(.idea = "reads far past the end of its input", .run = run)
