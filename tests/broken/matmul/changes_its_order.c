/* Right, but each second call adds up from the other end, as atomic additions would: other bits, and the flag V. */
/* expected: ok */
#include "common/matmul.h"
#include "common/variant.h"

static void run(const void *problem)
{
    static unsigned calls;
    const struct matmul *p = problem;
    const int backwards = calls++ % 2;

    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            float sum = 0.0f;

            for (size_t step = 0; step < p->k; step++) {
                const size_t l = backwards ? p->k - 1 - step : step;
                sum += p->a[i * p->k + l] * p->b[l * p->n + j];
            }
            p->c[i * p->n + j] = sum;
        }
}

VARIANT(.idea = "adds up from either end", .run = run)
