/* Pictures of a program without a kernel. */
#ifndef RUNGS_LAB_VIEW_HOST_H
#define RUNGS_LAB_VIEW_HOST_H

#include "workshop/lab/exercise.h"

/* Runs the learner's program and draws in which turn each of the first elements is used, and which thread writes which elements;
   and writes a page with each turn as a step.
   Returns false with an error if there is nothing to draw. */
bool view_host(const struct exercise *e, struct error *error);

#endif
