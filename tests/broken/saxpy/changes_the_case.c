/* Counts down in the case itself, so that the second call has nothing left to do. */
/* expected: breach: ^writes the case itself */
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    struct saxpy *p = (struct saxpy *)problem;

    while (p->n > 0) {
        p->n--;
        p->z[p->n] = p->a * p->x[p->n] + p->y[p->n];
    }
}

VARIANT(.idea = "counts down in the case itself", .run = run)
