/* Measures, in turns on this machine, the learner's version, the variant that it is compared with, and ours. */
#ifndef RUNGS_TIMES_H
#define RUNGS_TIMES_H

#include "workshop/lab/build.h"
#include "workshop/lab/exercise.h"

/* Times of one variant in one round, seconds: `run` without copies, 0 or NaN if it has no phase of its own for them;
   `whole` end-to-end. */
struct round_times {
    double run, whole;
};

enum { TIMED = 3, TIMED_ROUNDS = 9 }; /* variants: base, yours, ours */

struct timed {
    double base, yours, ours; /* seconds a call, of the round with the median ratio; 0: not measured */
    double ratio, ours_ratio; /* how many times faster than base: medians of pairs */
    bool resident; /* the times are without copies */
};

/* Chooses times without copies if `resident` and all three have them, else end-to-end times: a variant that overlaps
   its copies with kernels has only these.  Returns whether they are without copies. */
bool times_choose(struct round_times taken[TIMED][TIMED_ROUNDS], bool resident,
                  double time[TIMED][TIMED_ROUNDS]);

bool times_look(const struct exercise *e, const char *program, enum place place, struct timed *t,
                struct error *error);

#endif
