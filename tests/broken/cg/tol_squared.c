/* Compares a square with the tolerance itself: it stops at its root. */
/* expected: wrong: ^residual\[0\] is */
#include "common/variant.h"
#include "frame.h" /* solve and its parts */

static void run(const void *problem)
{
    const struct cg *s = problem;

    solve(s, sqrt((double)s->tol), s->n);
}

VARIANT(.idea = "rr against tol", .run = run)
