/* Computes the first 64 x 64 elements, and zeros. */
/* expected: wrong: ^y\[64\]\[[0-9]+\] is 0, */
#include "common/axxat.h"
#include "common/variant.h"
#include "frame.h" /* element */

static void run(const void *problem)
{
    const struct axxat *p = problem;

    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->n; j++)
            p->y[i * p->n + j] = i < 64 && j < 64 ? element(p, i, j) : 0.0f;
}

VARIANT(.idea = "one block of a grid", .run = run)
