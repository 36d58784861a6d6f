/* Butterflies that a loop does in place, in one array. */
#ifndef RUNGS_LAB_IN_PLACE_H
#define RUNGS_LAB_IN_PLACE_H

#include "workshop/lab/mistake.h"

/* For a race in shared memory: adds whether the two accesses are of one turn of a loop in which a thread writes only the places that
   it has read.  Then two threads have taken the same place for theirs, and no barrier is missing. */
void in_place_look(const char *text, struct mistake *m);

#endif
