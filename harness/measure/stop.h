/* Decides when a variant has enough rounds in this pass.  docs/method.md, section 4. */
#ifndef RUNGS_STOP_H
#define RUNGS_STOP_H

#include "harness/measure/bench.h"

/* Returns why the variant stops: "converged", "max_rounds", "max_time", "slow_call"; NULL: it goes on.
   Call it after each block of the pass, with the number of `blocks` and the seconds `spent` so far.
   If the times have drifted, drops the older half of the pass's rounds; but only while all variants
   still take part (`together`), since one that has stopped has no newer rounds to be compared with. */
const char *stop_reason(struct result *r, const struct preset *p, unsigned pass, size_t blocks,
                     double spent, bool together);

#endif
