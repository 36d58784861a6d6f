/* Judges the answers that a learner writes into the file: "answer NAME: ..." in a comment. */
#ifndef RUNGS_ANSWERS_H
#define RUNGS_ANSWERS_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

enum answered { NOT_ANSWERED, ANSWERED_WRONG, ANSWERED_NEAR, ANSWERED_RIGHT };

/* Copies what the learner has written behind "answer NAME:" to `given`, and judges it.  ANSWERED_NEAR: a number that is
   within the factor allowed, but not exact. */
enum answered answers_look(const struct answer *a, const char *text, char *given, size_t room);

/* Sets the mistake to the first answer that is missing or wrong; else leaves it alone. */
void answers_check(const struct exercise *e, const char *text, struct mistake *m);

#endif
