/* Peels elements off for alignment, and goes back one too far. */
/* expected: breach: ^writes 4 bytes before the start of z */
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
    if (p->n > 0)
        p->z[-1] = 0.0f;
}

VARIANT(.idea = "writes one before the start", .run = run)
