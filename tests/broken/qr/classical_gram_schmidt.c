/* Inner products with the column of A, not with what is left of it: columns of Q lose their right angles. */
/* expected: wrong: ^Q'Q\[ */
#include <math.h>

#include "common/qr.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct qr *p = problem;
    const size_t m = p->m, n = p->n;

    for (size_t i = 0; i < m * n; i++)
        p->q[i] = p->a[i];
    for (size_t i = 0; i < n * n; i++)
        p->r[i] = 0.0f;
    for (size_t j = 0; j < n; j++) {
        double squares = 0.0;
        for (size_t k = 0; k < j; k++) {
            double dot = 0.0;
            for (size_t i = 0; i < m; i++)
                dot += p->q[i * n + k] * (double)p->a[i * n + j];
            for (size_t i = 0; i < m; i++)
                p->q[i * n + j] -= (float)dot * p->q[i * n + k];
            p->r[k * n + j] = (float)dot;
        }
        for (size_t i = 0; i < m; i++)
            squares += (double)p->q[i * n + j] * p->q[i * n + j];
        p->r[j * n + j] = (float)sqrt(squares);
        for (size_t i = 0; i < m; i++)
            p->q[i * n + j] /= p->r[j * n + j];
    }
}

VARIANT(.idea = "classical", .run = run)
