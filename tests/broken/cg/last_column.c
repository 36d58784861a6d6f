/* Leaves out the last column of A. */
/* expected: nan: ^x\[0\] is -?inf */
#include "common/variant.h"
#include "frame.h" /* solve and its parts */

static void run(const void *problem)
{
    const struct cg *s = problem;

    solve(s, (double)s->tol, s->n > 0 ? s->n - 1 : 0);
}

VARIANT(.idea = "without the last column", .run = run)
