/* Which conditions of a kernel tell wrong elements from right ones: runs the program with its conditions counted. */
#ifndef RUNGS_LAB_BRANCHES_H
#define RUNGS_LAB_BRANCHES_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* If the mistake is a symptom that no line explains, puts before its facts a loop that makes no turn, or the condition that is true for
   exactly the wrong elements.  Returns false with an error if this machine cannot do it. */
bool branches_look(const struct exercise *e, const struct size *size, struct mistake *m, struct error *error);

#endif
