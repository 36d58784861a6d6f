/* matmul: a kernel with square tiles in shared memory. */
#ifndef RUNGS_GUESS_MATMUL_H
#define RUNGS_GUESS_MATMUL_H

#include "common/matmul.h"
#include "workshop/lab/pattern.h"

/* Sets the mistake if all sums are those of a kernel with tiles in which one choice is wrong, or two are. */
bool matmul_one_choice(const struct matmul *p, const struct view *v, struct mistake *m);
bool matmul_two_choices(const struct matmul *p, const struct view *v, struct mistake *m);

#endif
