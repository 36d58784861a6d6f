/* Only the first 256 rows; zeros below. */
/* expected: wrong: ^norm of a - Q r, column\[[0-9]+\] is */
#include "common/variant.h"
#include "frame.h" /* qr; orthogonalise */

static void run(const void *problem)
{
    const struct qr *p = problem;
    const size_t rows = p->m < 256 ? p->m : 256;

    orthogonalise(p, rows, p->n);
    for (size_t i = rows * p->n; i < p->m * p->n; i++)
        p->q[i] = 0.0f;
}

VARIANT(.idea = "one block of a grid", .run = run)
