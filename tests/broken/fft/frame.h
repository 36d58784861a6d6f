/* A right transform by its definition, for the files of this folder to get a part of it wrong. */
#ifndef RUNGS_BROKEN_FFT_FRAME_H
#define RUNGS_BROKEN_FFT_FRAME_H

#include <math.h>
#include <stdlib.h>

#include "common/fft.h"

struct root {
    double re, im;
};

/* exp(-2 pi i k / n) for all k < n; for free() */
static inline struct root *roots(size_t n)
{
    struct root *w = malloc(n * sizeof *w);

    for (size_t k = 0; k < n; k++) {
        double angle = 2.0 * 3.14159265358979323846 * (double)k / (double)n;
        w[k] = (struct root){cos(angle), -sin(angle)};
    }
    return w;
}

/* X[f] of one signal: the sum over t of x[t] * w[f*t mod n], in double precision. */
static inline struct cpx bin(size_t n, const struct root *w, const struct cpx *x, size_t f)
{
    double re = 0.0, im = 0.0;

    for (size_t t = 0, k = 0; t < n; t++) {
        re += (double)x[t].re * w[k].re - (double)x[t].im * w[k].im;
        im += (double)x[t].re * w[k].im + (double)x[t].im * w[k].re;
        k = k + f < n ? k + f : k + f - n;
    }
    return (struct cpx){(float)re, (float)im};
}

/* All bins of all signals. */
static inline void transform(const struct fft *p, const struct root *w)
{
    for (size_t i = 0; i < p->batch * p->n; i++)
        p->X[i] = bin(p->n, w, p->x + i / p->n * p->n, i % p->n);
}

#endif
