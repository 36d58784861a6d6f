/* Computes the inverse transform: the exponent has the wrong sign.  A round trip would not show it. */
/* expected: wrong: ^X\[[0-9]+\]\[[01]\] is .* \(68 of 102 wrong\)$ */
#include "common/variant.h"
#include "tests/broken/fft/frame.h"

static void run(const void *problem)
{
    const struct fft *p = problem;
    struct root *w = roots(p->n);

    for (size_t k = 0; k < p->n; k++)
        w[k].im = -w[k].im;
    transform(p, w);
    free(w);
}

VARIANT(.idea = "the inverse transform", .run = run)
