/*
 * Calls of a turn that are no samples.  At times that cannot be foreseen all inputs become those of the next data set, or are written as
 * they are, and a call follows.  A variant that goes on from its last answer takes longer then (harness/measure/pair_trial.h).
 */
#ifndef RUNGS_TURN_APART_H
#define RUNGS_TURN_APART_H

#include "harness/measure/turn.h"

/* Such calls of this turn. */
struct apart {
    unsigned calls;
    double seconds;
};

/* The turn begins on the present data set. */
void apart_begin(struct turn *t);

/* A call that is no sample.  *took: its seconds. */
bool apart_call(struct cell *c, struct turn *t, struct touches *touches, const struct preset *p, double *took);

/* Between two of a turn's requests, of which there are so many, coins decide whether all inputs are written. */
bool apart_write_at_times(struct cell *c, struct turn *t, struct touches *touches, const struct preset *p, double requests,
                          struct apart *apart);

/* Returns whether a call after a touch may be the later one of a pair: what is in a cache then hardly matters.  A GPU does other things
   before a sample. */
bool apart_compares(const struct turn *t);

/* Takes the latest call, of so many seconds, for the later one of a pair; but none of the first that a variant makes on a set, if its turns
   have more: where it computes there, it gains nothing. */
void apart_note_later(struct turn *t, double took, const struct preset *p);

#endif
