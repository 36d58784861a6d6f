/* Finds results that were computed from inputs as they were in prepare: without values. */
#ifndef RUNGS_LAB_EARLY_H
#define RUNGS_LAB_EARLY_H

#include "harness/model/arena.h"
#include "workshop/lab/mistake.h"

/* Fills the inputs with values that are not numbers, and that results computed from them keep. */
void early_mark(const struct layout *layout);

/* Sets the mistake if a result has such a value. */
bool early_look(const struct layout *layout, struct mistake *m);

#endif
