/* How long would a call take at the next size of a sweep?  By what it took at smaller ones. */
#ifndef RUNGS_PREDICT_SIZE_H
#define RUNGS_PREDICT_SIZE_H

#include "harness/cell.h"
#include "harness/sweep.h"

/*
 * Sets row->predicted of the contestants of a cell that is labelled for this size, from the last two
 * sizes at which each was timed: time is a power of the work, from 1 to 2.  A rung that was
 * skipped before sits out, and so does one that is expected to take longer than `longest` seconds a
 * call, or ten times that to set up.  Where nothing was timed yet, as predict() does.
 */
void predict_size(const struct sweep *s, size_t size, struct cell *c, double longest);

#endif
