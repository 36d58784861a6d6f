/*
 * A turn: the requests that make up one block of a variant, and what the parent does between them.
 *
 * Before each request a few lines of the output are poisoned, and on the toss of a coin a few of the
 * inputs change (harness/measure/touch.h).  Short calls are asked for two samples at a time, each after
 * a first call that is timed apart, and now and then for the first call alone: a call cannot
 * know whether its answer is looked at next.  Calls that are a sample each are requests of their own, on
 * inputs that have changed.
 */
#ifndef RUNGS_TURN_H
#define RUNGS_TURN_H

#include "harness/measure/bench.h"
#include "harness/measure/bracket.h"
#include "harness/measure/touch.h"
#include "harness/measure/trial.h"
#include "harness/records/block.h"

enum { SAMPLES = 10 }; /* of a block */

struct turn {
    struct entrant *entrant;
    size_t blocks; /* of this pass */
    double moving; /* seconds that the last relocation took */
    double sample; /* seconds that a sample takes at best, with all that belongs to it; 0: not known */
    double wall;   /* seconds that the last block took, messages included */
    struct block block;
    struct bracket bracket;
    struct trial trial;
};

/* Takes one block.  False: there is none, and the entrant is out or sits out the turn. */
bool turn_measure(struct cell *c, struct turn *t, struct touches *touches, const struct preset *p);

/* After the last block of a pass: was the entrant found out?  Then it is out. */
bool turn_accuse(struct turn *t);

/* Requests like any others, whose answers are judged, for the inputs as `touches` has them; these change
   behind the back of the timed calls where calls are short enough.  False: the entrant is out. */
bool turn_close(struct cell *c, struct turn *t, const struct touches *touches,
                const struct preset *p);

#endif
