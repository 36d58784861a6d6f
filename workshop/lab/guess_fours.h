/* For an fft of 16 numbers by four lanes. */
#ifndef RUNGS_LAB_GUESS_FOURS_H
#define RUNGS_LAB_GUESS_FOURS_H

#include "common/fft.h"
#include "workshop/lab/pattern.h"

/* Sets the mistake by which two butterflies of four give the result, if there is one. */
bool guess_fours(const struct fft *p, const struct view *v, struct mistake *m);

#endif
