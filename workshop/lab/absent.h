/* Adds why some threads do not reach a barrier or a shuffle: by which return they have left, or under which condition the call stands. */
#ifndef RUNGS_LAB_ABSENT_H
#define RUNGS_LAB_ABSENT_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* `line`: of the call.  The mistake has the simulator's message. */
void absent_add(const struct exercise *e, int line, struct mistake *m);

/* A thread reads in one line what another one writes later, in the other: adds where a barrier stands, if it is before both. */
void absent_barrier_add(const struct exercise *e, int writer, int reader, struct mistake *m);

#endif
