/* Writes one element too many, where malloc would leave room for it. */
/* expected: breach: ^writes 0 bytes past the end of z */
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
    if (p->n > 0)
        p->z[p->n] = 0.0f;
}

VARIANT(.idea = "writes one past the end", .run = run)
