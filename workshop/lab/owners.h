/* Which element each thread of a launch writes, as a formula of the thread's and the block's number: says how threads are numbered. */
#ifndef RUNGS_LAB_OWNERS_H
#define RUNGS_LAB_OWNERS_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* If the mistake may come from the numbers that threads compute, looks at the first launch at this size.  Puts what is wrong with the
   numbers, or with the number of blocks, before the facts.  Returns false with an error if this machine cannot do it. */
bool owners_look(const struct exercise *e, const char *program, const struct size *size, struct mistake *m, struct error *error);

#endif
