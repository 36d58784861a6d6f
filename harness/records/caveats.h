/* Flags: reasons to doubt a result. */
#ifndef RUNGS_CAVEATS_H
#define RUNGS_CAVEATS_H

#include "harness/records/result.h"

enum flag {
    FLAG_THROTTLED,    /* the GPU was throttled in more than 20 % of the blocks */
    FLAG_LAUNCH_BOUND, /* a run is shorter than 5 us */
    FLAG_COARSE,       /* a sample is shorter than 100 steps of the clock */
    FLAG_OFF_CPU,      /* one thread, which had a core for less than 90 % of the time */
    FLAG_NOISY,        /* half the interval is more than 5 % of the median */
    FLAG_DRIFT,        /* times kept drifting after older rounds were dropped four times */
    FLAG_FEW,          /* fewer than 6 rounds: no interval */
    FLAG_SINGLE_CALL,  /* timed by a single call, because more would take too long: no interval, no rounds */
    FLAG_SLOW_START,   /* the first call took more than twice as long as the timed ones */
    FLAG_ANY_TIE,      /* of equal answers it may give another one than the rule says */
    FLAG_HOST_CLOCK,   /* on a GPU, by the host's clock */
    FLAG_VARIES,       /* two calls on the same data at a check size left different bits */
    FLAG_ENGINE,       /* it has an engine, whose processes may connect to each other */
    FLAGS
};

extern const char *const flag_names[FLAGS]; /* as in records: "launch_bound" */
extern const char *const flag_meanings[FLAGS]; /* for legends */
extern const char flag_letters[FLAGS];      /* as in tables: 'L'; 0: not shown there */

/* Returns the flags of a result, a bit for each: 1u << FLAG_NOISY.  A result without a time has none.
   struct result keeps them in `flags`. */
unsigned caveats_of(const struct result *r);

#endif
