/* Makes no mistake.  It must pass, whatever the other variants of the run do. */
/* expected: ok */
#include "common/variant.h"
#include "frame.h" /* solve and its parts */

static void run(const void *problem)
{
    const struct cg *s = problem;

    solve(s, (double)s->tol, s->n);
}

VARIANT(.idea = "the control", .run = run)
