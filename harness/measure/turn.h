/*
 * A turn: the requests that make up one block of a variant, and what the parent does between them.
 *
 * Before each request, with probability 1/2, a few inputs change and a few lines of the output are poisoned
 * (harness/measure/touch.h).  Short calls are requested two samples at a time, each pair after a
 * first call that is timed separately; some requests consist of the first call alone.  So a call cannot
 * know whether its answer will be checked.  Calls that last a whole sample are requested one at a time,
 * on changed inputs and into poison; between them, all inputs change for a call that is no sample
 * (harness/measure/data_sets.h, pair_trial.h).
 */
#ifndef RUNGS_TURN_H
#define RUNGS_TURN_H

#include "harness/measure/at_work.h"
#include "harness/measure/bench.h"
#include "harness/measure/bracket.h"
#include "harness/measure/data_sets.h"
#include "harness/measure/pair_trial.h"
#include "harness/measure/touch.h"
#include "harness/measure/trial.h"
#include "harness/records/block.h"

enum { SAMPLES = 10 }; /* in a block */

struct turn {
    struct entrant *entrant;
    size_t blocks; /* in this pass */
    double moving; /* seconds that the last move of memory took (randomize_layout) */
    double sample; /* the fewest seconds that a sample took, with all overhead; 0: not known */
    double latest; /* what a call took in the latest one */
    struct block block;
    struct bracket bracket;
    struct trial trial;
    struct data_sets *sets; /* of the cell; NULL: there is one */
    double writing;         /* seconds that it took in this turn to write all inputs */
    struct pair_trial pairs;
    size_t visited;         /* number of the last data set that it was called on before its round */
    size_t set, calls;      /* number of the one that it was timed on last, and how many calls it has made
                               there since all inputs changed */
    struct at_work at_work;
};

/* Seconds of the shortest call that all inputs may change for.  In a shorter one, data show that a processor has not seen. */
#define LEAST_CHANGED 1e-4

/* Returns how many threads (or ranks) an entrant was given. */
int turn_given(const struct cell *c, const struct entrant *e);

/* Returns how many threads its processor time is divided among: at most those that it had processors for, whatever it reports. */
int turn_threads(const struct cell *c, const struct entrant *e);

/* Takes one block.  Returns false if there is none: the entrant is out or misses this turn. */
bool turn_measure(struct cell *c, struct turn *t, struct touches *touches, const struct preset *p);

/* Returns whether the trials need more turns to decide, after so many further ones. */
bool turn_doubted(const struct turn *t, size_t further);

/* After the last block of a pass: takes the entrant out if a trial accuses it, and returns whether it did. */
bool turn_accuse(struct turn *t);

/* Makes requests like any others and judges their answers.  For short calls, the inputs change to
   those of `touches` while the calls run; for long ones before a call, and all of them if they are the next data
   set's.  Returns false if the entrant is out. */
bool turn_close(struct cell *c, struct turn *t, const struct touches *touches,
                const struct preset *p);

#endif
