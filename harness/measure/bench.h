/*
 * Timing: rounds of blocks, the variants in turn.
 *
 * A block is a few samples of one variant.  A round is one block of every variant of the cell, in a
 * changing order, so that disturbances of the machine affect all variants alike.  The median of a block
 * is the statistical unit.  A variant leaves the rounds when the 95 % interval of the median of its
 * rounds is narrow enough, or its time is up. docs/method.md gives the reason for each number.
 */
#ifndef RUNGS_BENCH_H
#define RUNGS_BENCH_H

#include "harness/measure/cell.h"

struct preset {
    const char *name;
    const char *sizes;  /* benchmark sizes, unless --size gives others */
    bool also;         /* and the problem's further one */
    double warm_time;  /* seconds of untimed calls before the first block */
    size_t min_rounds; /* at least this many, if there is time */
    size_t max_rounds; /* at most MAX_ROUNDS */
    double width;      /* the interval is narrow enough when half of it is at most this share of the
                           median */
    double max_time;   /* seconds for one variant in one case, all passes together; also the limit for
                           one call */
    double single_call; /* seconds: a longer call of a ladder's first variant is still made once
                           (harness/measure/single_call.h); 0: none is */
    unsigned passes;   /* how often all tables are measured, in fresh processes; at most MAX_PASSES.
                           The passes share time and rounds */
    double block_time; /* seconds after which a block takes no further sample */
};

extern const struct preset preset_default, preset_quick, preset_thorough;

/* Called before each block, for a progress line. */
typedef void bench_progress(void *context, const struct entrant *e, size_t round);

/* Times every variant that is ENTRANT_IN (after cell_check) and fills in its result.  At the end
   judges all of them once more.  `order_seed` shuffles the order of turns. */
void bench_cell(struct cell *c, const struct preset *preset, uint64_t order_seed,
                bench_progress *progress, void *context);

#endif
