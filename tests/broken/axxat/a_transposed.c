/* A for its transpose: A^T X + X A. */
/* expected: wrong: ^y\[[0-9]+\]\[[0-9]+\] is */
#include "common/axxat.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct axxat *p = problem;
    const size_t n = p->n;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            float sum = 0.0f;

            for (size_t l = 0; l < n; l++)
                sum += p->a[l * n + i] * p->x[l * n + j] + p->x[i * n + l] * p->a[l * n + j];
            p->y[i * n + j] = sum;
        }
}

VARIANT(.idea = "A^T X + X A", .run = run)
