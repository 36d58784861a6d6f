/*
 * The journal: each block of samples is on record as soon as it is taken, so that whatever ends a run
 * takes no more along than the block in flight; and a run that goes on with such a file takes those
 * blocks for its own, at their place in the same order.
 */
#ifndef RUNGS_JOURNAL_H
#define RUNGS_JOURNAL_H

#include "harness/files/records.h"
#include "harness/record.h"
#include "harness/telemetry.h"
#include "harness/worker.h"

/* What a rung's turn brings. */
struct block {
    struct samples samples;
    unsigned long reps;          /* cycles in a sample */
    double seconds, cpu_seconds; /* that the block took, and of processor time of all threads */
    struct telemetry telemetry;
};

struct journal {
    struct record *record;
    const struct past *past; /* what an earlier run left; NULL: there was none */
    size_t next;             /* of its blocks: most likely the one that is asked for next */
    bool broken;             /* a block could not be written, and `error` says why */
    struct error error;
};

struct cell;
struct entrant;

/* Is this block on record?  Then it need not be taken again. */
bool journal_knows(struct journal *j, const struct cell *c, const struct entrant *e, size_t round,
                   struct block *block);

/* Writes one down that was taken just now. */
void journal_keep(struct journal *j, const struct cell *c, const struct entrant *e, size_t round,
                  const struct block *block);

#endif
