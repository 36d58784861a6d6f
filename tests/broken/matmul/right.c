/* Makes no mistake.  It must pass, whatever the other variants of the run do. */
/* expected: ok */
#include "common/matmul.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct matmul *p = problem;

    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            float sum = 0.0f;

            for (size_t l = 0; l < p->k; l++)
                sum += p->a[i * p->k + l] * p->b[l * p->n + j];
            p->c[i * p->n + j] = sum;
        }
}

VARIANT(.idea = "the control", .run = run)
