/* Whole groups of eight unknowns only; the others are 0. */
/* expected: wrong: ^residual\[0\] is */
#include "common/variant.h"
#include "frame.h" /* solve and its parts */

static void run(const void *problem)
{
    const struct cg *s = problem;

    solve(s, (double)s->tol, s->n);
    for (size_t i = s->n / 8 * 8; i < s->n; i++)
        s->x[i] = 0.0f;
}

VARIANT(.idea = "drops the tail", .run = run)
