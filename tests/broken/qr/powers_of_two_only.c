/* Right where n is a power of two; else the last column is left out. */
/* expected: wrong: ^(norm of a - Q r|Q'Q) */
#include "common/variant.h"
#include "frame.h" /* qr; full */

static void run(const void *problem)
{
    const struct qr *p = problem;
    const size_t n = p->n;

    full(p);
    if ((n & (n - 1)) != 0)
        for (size_t i = 0; i < p->m; i++)
            p->q[i * n + n - 1] = 0.0f;
}

VARIANT(.idea = "powers of two only", .run = run)
