/* Time, as the harness measures it: the learner's variant, the one that it is compared with, and ours,
   in turns on this machine, now. */
#ifndef RUNGS_TIMES_H
#define RUNGS_TIMES_H

#include "workshop/lab/build.h"
#include "workshop/lab/exercise.h"

/* A round's times of one variant, seconds: without its copies, where it has a phase of its own for them,
   and whole. */
struct round_times {
    double run, whole;
};

enum { TIMED = 3, TIMED_ROUNDS = 9 }; /* rungs: base, yours, ours */

struct timed {
    double base, yours, ours; /* seconds a call, medians; 0: not measured */
    double ratio, ours_ratio; /* how many times faster than base: medians of pairs */
    bool resident; /* without copies */
};

/* Without copies only if `resident` and all three can be timed so: what hides its copies has no other
   time than the whole.  True: without. */
bool times_choose(struct round_times taken[TIMED][TIMED_ROUNDS], bool resident,
                  double time[TIMED][TIMED_ROUNDS]);

bool times_look(const struct exercise *e, const char *program, enum place place, struct timed *t,
                struct error *error);

#endif
