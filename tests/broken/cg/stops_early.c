/* Stops at ten times the tolerance. */
/* expected: wrong: ^residual\[0\] is */
#include "common/variant.h"
#include "frame.h" /* solve and its parts */

static void run(const void *problem)
{
    const struct cg *s = problem;

    solve(s, 10.0 * (double)s->tol, s->n);
}

VARIANT(.idea = "stops too early", .run = run)
