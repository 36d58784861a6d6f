/* Translates messages of the simulator and the harness into words for a beginner. */
#ifndef RUNGS_LAB_SIMULATOR_H
#define RUNGS_LAB_SIMULATOR_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* Sets the mistake from the line with which the simulator ends a program (harness/sim/README.md).  Returns false if it
   is no such line. */
bool simulator_mistake(const char *said, const struct exercise *e, struct mistake *m);

/* Sets the mistake from the harness's reason why a variant breaks the contract. */
void breach_mistake(const char *reason, struct mistake *m);

#endif
