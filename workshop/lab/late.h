/* Whether a program waits for what other blocks write, or is right only because here these have run before. */
#ifndef RUNGS_LAB_LATE_H
#define RUNGS_LAB_LATE_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* Runs a program that was right once more, with what other blocks write late (harness/sim/late.c).  Sets the mistake if it is wrong then.
   Returns false with an error if it could not be run. */
bool late_look(const struct exercise *e, const char *program, const struct size *size, struct mistake *m, struct error *error);

#endif
