/* The Gram matrix has the square of A's condition, and so has the error of Q'Q. */
/* expected: wrong: ^Q'Q\[ */
#include "common/variant.h"
#include "frame.h" /* qr; cholesky_step */

static void run(const void *problem)
{
    const struct qr *p = problem;

    for (size_t i = 0; i < p->m * p->n; i++)
        p->q[i] = p->a[i];
    cholesky_step(p, p->r, 0x1p-24f); /* pivots stay positive: never NaN */
}

VARIANT(.idea = "Cholesky once", .run = run)
