/* fft of powers of two: what the guesses about its mistakes have in common. */
#ifndef RUNGS_GUESS_FFT_H
#define RUNGS_GUESS_FFT_H

#include "common/fft.h"
#include "workshop/lab/pattern.h"

/* Computes the transforms of all signals: real and imaginary parts in turns. */
void fft_want(const void *c, double *out);

/* Sets the mistake if the results are right for other signals, or stand in other places. */
bool fft_other_signals(const struct fft *p, const struct view *v, struct mistake *m);

/* Adds which formula gives the number of a root that there is not, if only one does, and in an earlier stage gives no such number. */
void fft_outside(const void *c, const struct access *a, struct mistake *m);

#endif
