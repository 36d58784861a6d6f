/* The real part of one bin of thousands is off by a thousandth of the signal's length. */
/* expected: wrong: ^X\[3001\]\[0\] is .* \(1 of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/fft/frame.h"

static void run(const void *problem)
{
    const struct fft *p = problem;
    struct root *w = roots(p->n);

    transform(p, w);
    if (p->n == 5040) {
        float squares = 0.0f;
        for (size_t t = 0; t < p->n; t++)
            squares += p->x[t].re * p->x[t].re + p->x[t].im * p->x[t].im;
        p->X[3001].re += 1e-3f * sqrtf(squares);
    }
    free(w);
}

VARIANT(.idea = "one bin off", .run = run)
