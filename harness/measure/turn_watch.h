/* Finds work that a variant does past the last call of a request: in a signal's handler, a thread, or on the way to the reply. */
#ifndef RUNGS_TURN_WATCH_H
#define RUNGS_TURN_WATCH_H

#include "harness/measure/turn.h"

/* Returns whether the outputs of an entrant are watched: those of compiled variants on the CPU.  A GPU's answers, those of several
   processes and those of other languages' runtimes need not be in the output before the reply. */
bool turn_watches(const struct entrant *e);

/* Makes requests `q`, in each of which a few elements of the output get wrong values while calls run.  A variant whose calls
   leave them there for long, or for good, is out.  The inputs must be those that answers are judged for, and must not change.
   Returns false if the entrant is out or misses this turn. */
bool turn_watch(struct cell *c, struct turn *t, const struct request *q);

#endif
