/* A variable to which the learner's program adds in one line, and which it sets in another: what was added before is lost then. */
#ifndef RUNGS_LAB_SUMS_H
#define RUNGS_LAB_SUMS_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* Adds both lines, if there is one such variable that is set to something with this word in it.  It need not be a mistake: the results must say
   that something is lost. */
void sums_set(const struct exercise *e, const char *word, struct mistake *m);

#endif
