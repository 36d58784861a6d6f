/*
 * The times of one phase of a rung in the order in which they were taken: a value a round, the median
 * of its block.
 *
 * They are taken in sittings, minutes apart and in a new process each, since no sitting can tell what
 * lasts longer than itself: a neighbour on the same core, a clock that has been lowered, a process
 * whose pages lie badly.  An interval therefore spans those of the sittings.
 *
 * Several sittings can say what another run would: whoever looks at two tables asks whether each holds
 * the other's median.  That errs as much as one's own, and the difference of two that err alike is
 * spread sqrt(2) times as wide as each.  An interval of a median for 95 % holds another run's in 83 %
 * (2 Phi(1.96 / sqrt 2) - 1); sqrt(2) times as wide, it holds it in 95 %.
 */
#ifndef RUNGS_ROUNDS_H
#define RUNGS_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/stats.h"

enum { MAX_SITTINGS = 4 };

/* Round `first` + i of two rungs in the same sitting was taken side by side. */
struct sitting {
    size_t rounds;
    size_t first; /* rounds before these, dropped for drift */
};

struct rounds {
    size_t count;       /* of all sittings */
    const double *time; /* seconds; those of the first sitting, those of the second ... */
    struct sitting sitting[MAX_SITTINGS];
    bool launches; /* each is the median of a process of its own, and not a round of one of them */
};

/* All in one sitting. */
struct rounds rounds_of_one(const double time[], size_t count);

double rounds_median(const struct rounds *r);

/* summarize() of all values; but of several sittings, low and high are where another run's median
   would be: sqrt(2) times as far from this one's as the ends of rounds_interval(). */
struct summary rounds_summary(const struct rounds *r);

/* From the lowest to the highest of the sittings' own intervals, and of a sitting with too few rounds
   for one, all of its values.  `value`: one a round, sorted by sittings.  NaN where all of them together
   are too few for that confidence. */
void rounds_interval(const struct sitting sitting[MAX_SITTINGS], const double value[],
                     double confidence, double *low, double *high);

#endif
