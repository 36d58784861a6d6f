/* What the simulator, and the harness, say of a mistake, in a beginner's words. */
#ifndef RUNGS_LAB_SIMULATOR_H
#define RUNGS_LAB_SIMULATOR_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* From the line with which the simulator ends a program (harness/sim/README.md).  False: it is none
   of its lines. */
bool simulator_mistake(const char *said, const struct exercise *e, struct mistake *m);

/* From a reason of the harness: a variant that breaks the contract. */
void breach_mistake(const char *reason, struct mistake *m);

#endif
