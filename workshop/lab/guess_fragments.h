/* matmul by mma.sync: which wrong fragments or slices the lanes of a warp have multiplied. */
#ifndef RUNGS_GUESS_FRAGMENTS_H
#define RUNGS_GUESS_FRAGMENTS_H

#include "common/matmul.h"
#include "workshop/lab/pattern.h"

/* Sets the mistake that gives the result: a wrong fragment, or else the first of `others`. */
bool fragments_look(const struct matmul *p, const struct view *v, const struct guess *others, struct mistake *m);

/* Sets the mistake if C is one tile of 16 x 8, of one slice, and follows from another order of the fragments. */
bool fragments_of_tile(const struct matmul *p, const struct view *v, struct mistake *m);

/* Computes the sums of products l = `first` to before `last`. */
void matmul_sums(const struct matmul *p, size_t first, size_t last, double *out);

#endif
