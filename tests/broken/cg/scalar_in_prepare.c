/* Reads the tolerance in prepare, where it is not known yet. */
/* expected: wrong: ^residual\[0\] is */
#include "common/variant.h"
#include "frame.h" /* solve and its parts */

static double tol;

static void prepare(const void *problem)
{
    tol = (double)((const struct cg *)problem)->tol;
}

static void run(const void *problem)
{
    const struct cg *s = problem;

    solve(s, tol, s->n);
}

VARIANT(.idea = "the tolerance in prepare", .prepare = prepare, .run = run)
