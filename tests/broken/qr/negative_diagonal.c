/* The first row of R and the first column of Q are turned. */
/* expected: wrong: ^r\[0\]\[0\] is -.*must be finite and not negative */
#include "common/variant.h"
#include "frame.h" /* qr; full */

static void run(const void *problem)
{
    const struct qr *p = problem;

    full(p);
    for (size_t i = 0; i < p->m && p->n > 0; i++)
        p->q[i * p->n] = -p->q[i * p->n];
    for (size_t j = 0; j < p->n; j++)
        p->r[j] = -p->r[j];
}

VARIANT(.idea = "a negative diagonal", .run = run)
