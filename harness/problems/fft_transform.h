/*
 * Float64 transforms of any length, for the references of fft and align.
 *
 * A product of 2, 3, 5 and 7 ("smooth") is transformed by factors.  Any other length n becomes a circular convolution
 * of m >= 2n - 1 points, m smooth (L. I. Bluestein, "A linear filtering approach to the computation of discrete Fourier
 * transform", 1970).  With 2 f t = f^2 + t^2 - (f - t)^2 and the chirp c[t] = exp(-pi i t^2 / n),
 *
 *     X[f] = c[f] * sum over t of (x[t] c[t]) * conj(c[f - t])
 *
 * t^2 is taken modulo 2n in whole numbers, so that no phase is rounded.  The error is that of three transforms of m
 * points, each at most log2(m) * 7 * 2^-53 of the norm (Higham, theorem 24.2): below 2^-43 for m up to 2^27.  The
 * judge's tolerance for float32 is above 2^-22, and the check of the reference allows 2^-32.
 */
#ifndef RUNGS_PROBLEMS_FFT_TRANSFORM_H
#define RUNGS_PROBLEMS_FFT_TRANSFORM_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/fft.h"

/* glibc defines it for GCC only. */
#ifndef CMPLX
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#endif

/* Multiplies complex numbers without C's special treatment of infinities. */
static inline double complex fft_times(double complex a, double complex b)
{
    return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b), creal(a) * cimag(b) + cimag(a) * creal(b));
}

static inline double complex fft_number(struct cpx a)
{
    return CMPLX(a.re, a.im);
}

/* Returns [n] w[k] = exp(-2 pi i k / n), for free(); NULL: out of memory. */
double complex *fft_roots(size_t n);

/* Transforms `batch` signals of n numbers from x to X, both [batch][n].  w: fft_roots(n).  Returns false if memory runs
   out.  Uses all processors. */
bool fft_transform(size_t batch, size_t n, const double complex *w, const struct cpx *x, double complex *X);

/* The same for float64 numbers, and n a product of 2, 3, 5 and 7. */
bool fft_transform_wide(size_t batch, size_t n, const double complex *w, const double complex *x, double complex *X);

#endif
