/* Assumes that the rows of B are as long as its columns: right for squares. */
/* expected: breach: ^reads [0-9]+ bytes past the end of b in run, square_only\.c:[0-9]+$ */
#include "common/matmul.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct matmul *p = problem;

    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            float sum = 0.0f;

            for (size_t l = 0; l < p->k; l++)
                sum += p->a[i * p->k + l] * p->b[l * p->k + j];
            p->c[i * p->n + j] = sum;
        }
}

VARIANT(.idea = "right for squares only", .run = run)
