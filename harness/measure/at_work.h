/*
 * At work: among how many threads a variant shares its work, whatever else runs on the machine.
 *
 * After a call the worker counts the threads that the variant has started since prepare.  That misses a library's pool that
 * is older than prepare, as NumPy's OpenBLAS has one, and threads that end with each call.  Processor time by wall time tells
 * of both on an idle machine, but on a busy one two threads may have less than one core together.  How they share the
 * processor time does not depend on that.  So the parent reads the time of each thread before the first block of a pass and
 * after the last one.
 */
#ifndef RUNGS_AT_WORK_H
#define RUNGS_AT_WORK_H

#include "harness/measure/cell.h"
#include "harness/worker/tree.h"

struct at_work {
    struct tree_threads before;
    double used; /* processor seconds of the worker until then, with threads that have ended */
};

/* Call it while the worker is at rest. */
void at_work_begin(struct at_work *w, struct entrant *e);

/* Raises the threads of its result to those that were at work, of as many as it was given. */
void at_work_end(const struct at_work *w, struct entrant *e, int given);

/* Returns how many threads have used at least a quarter as much processor time between two lists as the busiest.  `used`
   is the time of all, in ns.  What no living thread has used was that of threads that have ended: they count as `ended`. */
int at_work_count(const struct tree_threads *before, const struct tree_threads *after, double used, int ended);

#endif
