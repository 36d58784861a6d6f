/* Rows as far apart as the next power of two says. */
/* expected: wrong: ^y\[[0-9]+\]\[[0-9]+\] is */
#include "common/axxat.h"
#include "common/variant.h"
#include "frame.h" /* full */

static void run(const void *problem)
{
    const struct axxat *p = problem;
    const size_t n = p->n;
    size_t power = 1;

    full(p);
    while (power < n)
        power *= 2;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (i * power + j >= n * n)
                p->y[i * n + j] = 0.0f;
}

VARIANT(.idea = "rows a power of two apart", .run = run)
