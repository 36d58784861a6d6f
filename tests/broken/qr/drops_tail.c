/* Whole groups of four rows only; zeros below. */
/* expected: wrong: ^norm of a - Q r, column\[[0-9]+\] is */
#include "common/variant.h"
#include "frame.h" /* qr; orthogonalise */

static void run(const void *problem)
{
    const struct qr *p = problem;
    const size_t rows = p->m < 4 ? p->m : p->m / 4 * 4;

    orthogonalise(p, rows, p->n);
    for (size_t i = rows * p->n; i < p->m * p->n; i++)
        p->q[i] = 0.0f;
}

VARIANT(.idea = "drops the tail of the rows", .run = run)
