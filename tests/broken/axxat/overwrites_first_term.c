/* The second product overwrites the first: beta is 0. */
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
                sum += p->x[i * n + l] * p->a[j * n + l];
            p->y[i * n + j] = sum;
        }
}

VARIANT(.idea = "X A^T alone", .run = run)
