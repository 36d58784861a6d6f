/* Right where n is a power of two; else the last unknown is 0. */
/* expected: wrong: ^residual\[0\] is */
#include "common/variant.h"
#include "frame.h" /* solve and its parts */

static void run(const void *problem)
{
    const struct cg *s = problem;

    solve(s, (double)s->tol, s->n);
    if ((s->n & (s->n - 1)) != 0)
        s->x[s->n - 1] = 0.0f;
}

VARIANT(.idea = "powers of two only", .run = run)
