/*
 * What the scalar variants share with cpu_naive, which spells it out: a transform of any factors, R of one bin, and the
 * parabola through the peak.
 */
#ifndef RUNGS_ALIGN_SPECTRUM_H
#define RUNGS_ALIGN_SPECTRUM_H

#include <math.h>
#include <stdlib.h>

#include "peak.h" /* shift_of */

struct cpx {
    float re, im;
};

static inline struct cpx *roots(size_t n) /* [n] exp(-2 pi i k / n) */
{
    struct cpx *w = malloc(n * sizeof *w);

    for (size_t k = 0; k < n; k++) {
        const double angle = -2 * M_PI * (double)k / (double)n; /* in float, its error would show */
        w[k] = (struct cpx){(float)cos(angle), (float)sin(angle)};
    }
    return w;
}

static inline struct cpx add(struct cpx x, struct cpx y)
{
    return (struct cpx){x.re + y.re, x.im + y.im};
}

static inline struct cpx mul(struct cpx x, struct cpx y)
{
    return (struct cpx){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

/* Transforms n numbers of x, `step` apart, to X.  w: [n * turn] roots of unity. */
static inline void transform(size_t n, size_t turn, const struct cpx *w, const struct cpx *x, size_t step, struct cpx *X)
{
    size_t r = 2;

    if (n == 1) {
        X[0] = x[0];
        return;
    }
    while (n % r != 0)
        r++;

    const size_t m = n / r;

    for (size_t k = 0; k < r; k++)
        transform(m, turn * r, w, x + k * step, step * r, X + k * m);
    for (size_t f = 0; f < m; f++) {
        struct cpx part[7], sum;

        for (size_t k = 0; k < r; k++)
            part[k] = mul(X[k * m + f], w[k * f * turn]);
        for (size_t j = 0; j < r; j++) {
            sum = part[0];
            for (size_t k = 1; k < r; k++)
                sum = add(sum, mul(part[k], w[j * k % r * m * turn]));
            X[j * m + f] = sum;
        }
    }
}

/* The conjugate of R, from A and B. */
static inline struct cpx cross_power(struct cpx a, struct cpx b, float eps)
{
    const float size = sqrtf(a.re * a.re + a.im * a.im) * sqrtf(b.re * b.re + b.im * b.im) + eps;

    return (struct cpx){(a.re * b.re + a.im * b.im) / size, (a.re * b.im - a.im * b.re) / size};
}

#endif
