/* R is right, but Q still is A. */
/* expected: wrong: ^(norm of a - Q r|Q'Q) */
#include "common/variant.h"
#include "frame.h" /* qr; full */

static void run(const void *problem)
{
    const struct qr *p = problem;

    full(p);
    for (size_t i = 0; i < p->m * p->n; i++)
        p->q[i] = p->a[i];
}

VARIANT(.idea = "Q is not formed", .run = run)
