/* The reflectors, or anything else, are left below the diagonal of R. */
/* expected: wrong: ^r\[1\]\[0\] is .*below the diagonal it must be 0 */
#include <math.h>
#include <stdlib.h>

#include "common/qr.h"
#include "common/variant.h"

/* Gram and Schmidt's method, modified and done twice, in float64. */
static void run(const void *problem)
{
    const struct qr *p = problem;
    const size_t m = p->m, n = p->n;
    double *w = malloc((m * n + 1) * sizeof *w);

    for (size_t i = 0; i < m * n; i++)
        w[i] = p->a[i];
    for (size_t i = 0; i < n * n; i++)
        p->r[i] = 0.0f;
    for (size_t j = 0; j < n; j++) {
        double squares = 0.0;
        for (size_t k = 0; k < 2 * j; k++) {
            double dot = 0.0;
            for (size_t i = 0; i < m; i++)
                dot += w[i * n + k % j] * w[i * n + j];
            for (size_t i = 0; i < m; i++)
                w[i * n + j] -= dot * w[i * n + k % j];
            p->r[k % j * n + j] += (float)dot;
        }
        for (size_t i = 0; i < m; i++)
            squares += w[i * n + j] * w[i * n + j];
        p->r[j * n + j] = (float)sqrt(squares);
        for (size_t i = 0; i < m; i++)
            w[i * n + j] /= sqrt(squares);
    }
    for (size_t i = 0; i < m * n; i++)
        p->q[i] = (float)w[i];
    for (size_t k = 1; k < n; k++)
        p->r[k * n + k - 1] = 0.25f;
    free(w);
}

VARIANT(.idea = "garbage below the diagonal", .run = run)
