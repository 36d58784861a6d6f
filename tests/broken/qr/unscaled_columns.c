/* What is left of a column counts as nothing below 1e-7 of the longest column, not of its own length. */
/* expected: wrong: ^(norm of a - Q r|Q'Q) */
#include "common/variant.h"
#include "frame.h" /* qr; full */

static void run(const void *problem)
{
    const struct qr *p = problem;
    const size_t m = p->m, n = p->n;
    double longest = 0.0;

    for (size_t j = 0; j < n; j++) {
        double squares = 0.0;
        for (size_t i = 0; i < m; i++)
            squares += (double)p->a[i * n + j] * p->a[i * n + j];
        longest = squares > longest ? squares : longest;
    }
    full(p);
    for (size_t j = 0; j < n; j++)
        if ((double)p->r[j * n + j] < 1e-7 * sqrt(longest)) {
            p->r[j * n + j] = 0.0f;
            for (size_t i = 0; i < m; i++)
                p->q[i * n + j] = 0.0f;
        }
}

VARIANT(.idea = "a test of rank without scales", .run = run)
