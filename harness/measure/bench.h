/*
 * Timing: rounds of blocks, taken in turn.
 *
 * A block is a few samples of one variant; a round is one block of every variant of the cell, in rotated
 * order, so that what disturbs the machine disturbs all alike.  The median of a block is the
 * statistical unit.  A variant leaves the rotation when the 95 % interval of the median of its rounds
 * is narrow enough, or its time is up.  docs/method.md gives the reasons for each number.
 */
#ifndef RUNGS_BENCH_H
#define RUNGS_BENCH_H

#include "harness/measure/cell.h"

struct preset {
    const char *name;
    const char *sizes;  /* of each problem, unless --size says otherwise */
    double warm_time;  /* seconds of untimed calls before the first block */
    size_t min_rounds; /* at least this many, time permitting */
    size_t max_rounds; /* MAX_ROUNDS at most */
    double width;      /* enough when half the interval is at most this share of the median */
    double max_time;   /* seconds for one variant in one case, in all passes; and for one call */
    double single_call; /* seconds: a longer one of a ladder's first variant is still made once
                           (harness/measure/single_call.h); 0: none is */
    unsigned passes;   /* how often all cases are gone through, in fresh processes: MAX_PASSES at most;
                          time and rounds are shared among them */
    double block_time; /* seconds after which a block takes no further sample */
};

extern const struct preset preset_default, preset_quick, preset_thorough;

/* Told before each block, for a progress line. */
typedef void bench_progress(void *context, const struct entrant *e, size_t round);

/* Times every variant that is in (after cell_check) and fills in its result; judges all once more at the
   end.  `order_seed` shuffles the order of turns. */
void bench_cell(struct cell *c, const struct preset *preset, uint64_t order_seed,
                bench_progress *progress, void *context);

#endif
