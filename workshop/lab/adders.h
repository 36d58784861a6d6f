/* Which lanes add to memory what they have behind the shuffles of a warp. */
#ifndef RUNGS_LAB_ADDERS_H
#define RUNGS_LAB_ADDERS_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* A total lacks the numbers of the first warps of each block: adds that a lane adds it behind whose shuffles these are not, if one does.
   Returns false with an error if the program could not be run. */
bool adders_look(const struct exercise *e, const char *program, const struct size *size, struct mistake *m, struct error *error);

#endif
