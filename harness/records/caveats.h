/* What a reader of a result should know before believing it. */
#ifndef RUNGS_CAVEATS_H
#define RUNGS_CAVEATS_H

#include "harness/records/result.h"

enum flag {
    FLAG_THROTTLED,    /* in over 20 % of its blocks the card held itself back for heat or power */
    FLAG_LAUNCH_BOUND, /* a run is shorter than 5 us: it is the launch that is timed */
    FLAG_COARSE,       /* a sample is shorter than 100 steps of the clock */
    FLAG_OFF_CPU,      /* one thread, and it had its core for less than 90 % of the time */
    FLAG_NOISY,        /* half the interval is more than 5 % of the median */
    FLAG_DRIFT,        /* times moved on after old rounds had been dropped for it four times */
    FLAG_FEW,          /* fewer than 6 rounds: no interval */
    FLAG_SINGLE_CALL,  /* one call, as more would take too long: no interval, no rounds */
    FLAG_SLOW_START,   /* the first call took more than twice as long as those that were timed */
    FLAGS
};

extern const char *const flag_names[FLAGS]; /* as in records: "launch_bound" */
extern const char *const flag_meanings[FLAGS]; /* in one sentence, without its full stop */
extern const char flag_letters[FLAGS];      /* as in tables: 'L'; 0: not shown there */

/* What speaks against it, from what was measured: one bit a flag, 1u << FLAG_NOISY; 0 for a result
   without a time.  struct result keeps them in `flags`. */
unsigned caveats_of(const struct result *r);

#endif
