/*
 * fft: the forward discrete Fourier transform of `batch` signals of n complex numbers each.
 *
 *     X[f] = sum over t of x[t] * exp(-2 pi i f t / n)        0 <= f < n, not scaled
 *
 * float32; n is any number from 1 on.  Signals follow one another.
 *
 * Work   5 n log2(n) flops a signal.  That is the count of the radix-2 algorithm; FFTW's and cuFFT's
 *        tables use it for every algorithm (http://www.fftw.org/speed/).
 * Bytes  16 a number: 8 read, 8 written.
 */
#ifndef RUNGS_FFT_H
#define RUNGS_FFT_H

#include <stddef.h>

struct cpx {
    float re, im;
};

struct fft {
    size_t batch;        /* signals; may be 0 */
    size_t n;            /* length of each */
    const struct cpx *x; /* [batch][n] */
    struct cpx *X;       /* [batch][n] the answer */
};

#endif
