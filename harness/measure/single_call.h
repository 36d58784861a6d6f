/*
 * A single call: the time of a variant that is too slow for rounds.
 *
 * All other variants are compared with the first of their ladder, the naive loop.  Where one call of it is
 * predicted to take longer than --max-time, it is made once, timed and judged, instead of being skipped:
 * a factor without an interval says more than none.  The result's `stop` is "single_call", its ratios are
 * inconclusive, and tables mark it with the flag 1.
 */
#ifndef RUNGS_SINGLE_CALL_H
#define RUNGS_SINGLE_CALL_H

#include "harness/measure/bench.h"

/* Times, by one call each, those variants of a closed cell that predict() has skipped, that are the first of
   their ladder, and whose call is predicted to take at most preset->single_call seconds.  The call is the
   first on its data, and its answer is judged. */
void single_calls(struct cell *c, const struct preset *preset, bench_progress *progress,
                  void *context);

#endif
