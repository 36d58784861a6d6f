/* Returns C with rows and columns exchanged, as a column-major library does.  Matrices of equal
   elements, or a norm of C, would not show it. */
/* expected: wrong: ^c\[[01]\]\[[01]\] is .* \(2 of 4 wrong\)$ */
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
            p->c[j * p->m + i] = sum;
        }
}

VARIANT(.idea = "the answer transposed", .run = run)
