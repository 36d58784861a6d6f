/* Returns the transform of the first signal for the whole batch. */
/* expected: wrong: ^X\[[0-9]+\]\[[01]\] is .* \(32 of 34 wrong\)$ */
#include "common/variant.h"
#include "tests/broken/fft/frame.h"

static void run(const void *problem)
{
    const struct fft *p = problem;
    struct root *w = roots(p->n);

    for (size_t i = 0; i < p->batch * p->n; i++)
        p->X[i] = bin(p->n, w, p->x, i % p->n);
    free(w);
}

VARIANT(.idea = "reads the first signal only", .run = run)
