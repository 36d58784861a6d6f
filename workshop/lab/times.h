/* Time, as the harness measures it: the learner's rung, the one that it is compared with, and ours,
   in turns on this machine, now. */
#ifndef RUNGS_TIMES_H
#define RUNGS_TIMES_H

#include "workshop/lab/build.h"
#include "workshop/lab/exercise.h"

struct timed {
    double base, yours, ours; /* seconds a call, medians; 0: not measured */
    double ratio, ours_ratio; /* how many times faster than base: medians of pairs */
};

bool times_look(const struct exercise *e, const char *program, enum place place, struct timed *t,
                struct error *error);

#endif
