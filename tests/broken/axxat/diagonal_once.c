/* Z + Z^T of a symmetric X, with the diagonal of Z in place of twice the diagonal. */
/* expected: wrong: ^y\[0\]\[0\] is .*1 of 1 wrong */
#include "common/axxat.h"
#include "common/variant.h"
#include "frame.h" /* full, element */

static void run(const void *problem)
{
    const struct axxat *p = problem;

    full(p);
    for (size_t i = 0; i < p->n && p->symmetric; i++)
        p->y[i * p->n + i] *= 0.5f;
}

VARIANT(.idea = "the diagonal once", .run = run)
