/* Where the condition of A is 10^4 and more, a pivot of its Gram matrix is negative in float32, and its root is NaN. */
/* expected: wrong: ^r\[[0-9]+\]\[[0-9]+\] is -?nan */
#include "common/variant.h"
#include "frame.h" /* qr; cholesky_step */

static void run(const void *problem)
{
    const struct qr *p = problem;
    const size_t n = p->n;
    float *first = malloc((n * n + 1) * sizeof *first), *second = malloc((n * n + 1) * sizeof *second);

    for (size_t i = 0; i < p->m * n; i++)
        p->q[i] = p->a[i];
    cholesky_step(p, first, 0.0f);
    cholesky_step(p, second, 0.0f);
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < n; j++) {
            float sum = 0.0f;
            for (size_t l = k; l <= j; l++)
                sum += second[k * n + l] * first[l * n + j];
            p->r[k * n + j] = sum;
        }
    free(first);
    free(second);
}

VARIANT(.idea = "Cholesky twice, without a guard", .run = run)
