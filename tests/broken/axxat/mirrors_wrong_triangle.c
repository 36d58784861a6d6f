/* Computes the triangle on and above the diagonal, and mirrors the other one. */
/* expected: nan: ^y\[0\]\[1\] is nan */
#include "common/axxat.h"
#include "common/variant.h"
#include "frame.h" /* full, element */

static void run(const void *problem)
{
    const struct axxat *p = problem;
    const size_t n = p->n;

    if (!p->symmetric) {
        full(p);
        return;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++)
            p->y[i * n + j] = element(p, i, j);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            p->y[i * n + j] = p->y[j * n + i];
}

VARIANT(.idea = "mirrors the wrong triangle", .run = run)
