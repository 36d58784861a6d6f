/* Computes each weight from the one before, in float32, so that errors accumulate: accurate enough
   only for short signals. */
/* expected: wrong: ^X\[[0-9]+\]\[[01]\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/fft/frame.h"

static void run(const void *problem)
{
    const struct fft *p = problem;
    struct root *w = roots(p->n);

    for (size_t k = 1; k < p->n; k++) {
        float re = (float)w[k - 1].re, im = (float)w[k - 1].im;
        float step_re = (float)w[1].re, step_im = (float)w[1].im;

        w[k].re = re * step_re - im * step_im;
        w[k].im = re * step_im + im * step_re;
        w[k].re = (float)w[k].re;
        w[k].im = (float)w[k].im;
    }
    transform(p, w);
    free(w);
}

VARIANT(.idea = "weights by a float32 recurrence", .run = run)
