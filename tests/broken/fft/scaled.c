/* Divides by n.  Libraries differ: some scale the forward transform, some the backward one, some
   neither. */
/* expected: wrong: ^X\[[0-9]+\]\[[01]\] is .* \(12 of 12 wrong\)$ */
#include "common/variant.h"
#include "tests/broken/fft/frame.h"

static void run(const void *problem)
{
    const struct fft *p = problem;
    struct root *w = roots(p->n);

    transform(p, w);
    for (size_t i = 0; i < p->batch * p->n; i++) {
        p->X[i].re /= (float)p->n;
        p->X[i].im /= (float)p->n;
    }
    free(w);
}

VARIANT(.idea = "scaled by 1/n", .run = run)
