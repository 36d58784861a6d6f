/* Where a barrier is missing between two lines of a kernel that use the same place. */
#ifndef RUNGS_LAB_GAP_H
#define RUNGS_LAB_GAP_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* Of a race in shared memory, as the simulator has said it, in this line: adds on which way from one of its two lines to the other no barrier
   stands: further on, or in the next turn of a loop. */
void gap_of_race(const struct exercise *e, const char *said, int line, struct mistake *m);

/* Of a place that line `reader` reads before another thread has written it in line `writer`: adds what is between the two, and does not let
   all threads wait. */
void gap_of_unwritten(const struct exercise *e, int writer, int reader, struct mistake *m);

#endif
