/* Fills in the upper half as the conjugate of the lower one, which holds for real signals. */
/* expected: wrong: ^X\[[0-9]+\]\[[01]\] is .* \(34 of 102 wrong\)$ */
#include "common/variant.h"
#include "tests/broken/fft/frame.h"

static void run(const void *problem)
{
    const struct fft *p = problem;
    struct root *w = roots(p->n);

    transform(p, w);
    for (size_t b = 0; b < p->batch; b++)
        for (size_t f = p->n / 2 + 1; f < p->n; f++) {
            struct cpx mirrored = p->X[b * p->n + p->n - f];
            p->X[b * p->n + f] = (struct cpx){mirrored.re, -mirrored.im};
        }
    free(w);
}

VARIANT(.idea = "mirrors half the spectrum", .run = run)
