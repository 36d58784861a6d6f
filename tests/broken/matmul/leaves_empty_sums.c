/* Overwrites C with the first product and adds the others.  If there is no product, C keeps its old
   values. */
/* expected: nan: ^c\[0\]\[0\] is -?nan, expected 0$ */
#include "common/matmul.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct matmul *p = problem;

    for (size_t i = 0; i < p->m; i++)
        for (size_t l = 0; l < p->k; l++)
            for (size_t j = 0; j < p->n; j++) {
                float product = p->a[i * p->k + l] * p->b[l * p->n + j];

                p->c[i * p->n + j] = l == 0 ? product : p->c[i * p->n + j] + product;
            }
}

VARIANT(.idea = "leaves empty sums alone", .run = run)
