/* Omits the last product of every sum. */
/* expected: wrong: ^c\[0\]\[0\] is 0, expected .* \(1 of 1 wrong\)$ */
#include "common/matmul.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct matmul *p = problem;

    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            float sum = 0.0f;

            for (size_t l = 0; l + 1 < p->k; l++)
                sum += p->a[i * p->k + l] * p->b[l * p->n + j];
            p->c[i * p->n + j] = sum;
        }
}

VARIANT(.idea = "drops the last product of each sum", .run = run)
