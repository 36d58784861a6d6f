/* Adds to a wrong result which images the launches and copies have read and written, one after another. */
#ifndef RUNGS_LAB_USES_H
#define RUNGS_LAB_USES_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* Runs the program again at this size, in the simulator.  `wanted`: the launches that a right program makes; 0: that is not known. */
bool uses_look(const struct exercise *e, const char *program, const struct size *size, size_t wanted, struct mistake *m, struct error *error);

#endif
