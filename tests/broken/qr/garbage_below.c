/* The reflectors, or anything else, are left below the diagonal of R. */
/* expected: wrong: ^r\[1\]\[0\] is .*below the diagonal it must be 0 */
#include "common/variant.h"
#include "frame.h" /* qr; full */

static void run(const void *problem)
{
    const struct qr *p = problem;

    full(p);
    for (size_t k = 1; k < p->n; k++)
        p->r[k * p->n + k - 1] = 0.25f;
}

VARIANT(.idea = "garbage below the diagonal", .run = run)
