/* Ignores the imaginary parts of the signal. */
/* expected: wrong: ^X\[[0-9]+\]\[[01]\] is .* \((17|34) of 34 wrong\)$ */
#include "common/variant.h"
#include "tests/broken/fft/frame.h"

static void run(const void *problem)
{
    const struct fft *p = problem;
    struct root *w = roots(p->n);

    for (size_t i = 0; i < p->batch * p->n; i++) {
        double re = 0.0, im = 0.0;

        for (size_t t = 0; t < p->n; t++) {
            re += (double)p->x[i / p->n * p->n + t].re * w[i % p->n * t % p->n].re;
            im += (double)p->x[i / p->n * p->n + t].re * w[i % p->n * t % p->n].im;
        }
        p->X[i] = (struct cpx){(float)re, (float)im};
    }
    free(w);
}

VARIANT(.idea = "ignores the imaginary part", .run = run)
