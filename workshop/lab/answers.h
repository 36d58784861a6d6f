/* Judges the answers that a learner writes into the file: "answer NAME: ..." in a comment. */
#ifndef RUNGS_ANSWERS_H
#define RUNGS_ANSWERS_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* Sets the mistake to the first answer that is missing or wrong; else leaves it alone. */
void answers_check(const struct exercise *e, const char *text, struct mistake *m);

#endif
