/* A picture of a learner's own benchmark: what it calls between its stamps. */
#ifndef RUNGS_LAB_VIEW_CLOCK_H
#define RUNGS_LAB_VIEW_CLOCK_H

#include "workshop/lab/exercise.h"

/* Runs the learner's program and draws, for each function that takes a time, its calls and what the device does meanwhile.  Returns false with
   an error if there is nothing to draw. */
bool view_clock(const struct exercise *e, struct error *error);

#endif
