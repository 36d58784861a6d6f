/* What the learner was asked to write down: "answer NAME: ..." in a comment of the file. */
#ifndef RUNGS_ANSWERS_H
#define RUNGS_ANSWERS_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* Sets the mistake if one is missing or wrong. */
void answers_check(const struct exercise *e, const char *text, struct mistake *m);

#endif
