/* matmul by mma.sync: sums of several lanes, added up as if each had a part of one element. */
#ifndef RUNGS_GUESS_LANE_SUMS_H
#define RUNGS_GUESS_LANE_SUMS_H

#include "common/matmul.h"
#include "workshop/lab/pattern.h"

/* Sets the mistake if what the lanes hold of C was handed on by shuffles and added up. */
bool lane_sums_look(const struct matmul *p, const struct view *v, struct mistake *m);

#endif
