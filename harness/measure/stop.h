/* When has a variant been looked at enough, in this pass?  docs/method.md, section 4. */
#ifndef RUNGS_STOP_H
#define RUNGS_STOP_H

#include "harness/measure/bench.h"

/* Asked after each block of the pass, of which there have been `blocks`, in `spent` seconds: NULL, it
   goes on; or why not: "converged", "max_rounds", "max_time", "slow_call".  Drops the older half of the
   pass's rounds where times have moved on, if all are still taking part (`together`): one that has stopped
   has no newer ones to be compared with. */
const char *why_stop(struct result *r, const struct preset *p, unsigned pass, size_t blocks,
                     double spent, bool together);

#endif
