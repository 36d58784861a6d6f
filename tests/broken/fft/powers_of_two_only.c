/* Computes f*t modulo n by a mask, which is right for powers of two, the only sizes that many tests
   use. */
/* expected: wrong: ^X\[[0-9]+\]\[[01]\] is .* \(68 of 102 wrong\)$ */
#include "common/variant.h"
#include "tests/broken/fft/frame.h"

static void run(const void *problem)
{
    const struct fft *p = problem;
    struct root *w = roots(p->n);

    for (size_t i = 0; i < p->batch * p->n; i++) {
        const struct cpx *x = p->x + i / p->n * p->n;
        double re = 0.0, im = 0.0;

        for (size_t t = 0; t < p->n; t++) {
            struct root k = w[i % p->n * t & (p->n - 1)];
            re += (double)x[t].re * k.re - (double)x[t].im * k.im;
            im += (double)x[t].re * k.im + (double)x[t].im * k.re;
        }
        p->X[i] = (struct cpx){(float)re, (float)im};
    }
    free(w);
}

VARIANT(.idea = "right for powers of two only", .run = run)
