/* A race in which a line is work for one thread, and all threads do it. */
#ifndef RUNGS_LAB_EVERYONE_H
#define RUNGS_LAB_EVERYONE_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* Of a race within a block, as the simulator has said it, in this line: if the text proves that all threads, or all lanes of a warp,
   write the same place in one of the two lines, puts that before the facts.  Returns whether it does. */
bool everyone_add(const struct exercise *e, const char *said, int line, struct mistake *m);

#endif
