/*
 * How long would a call take?  Asked before it is made, because some variants would not be done by
 * tomorrow.
 */
#ifndef RUNGS_PREDICT_H
#define RUNGS_PREDICT_H

#include "harness/measure/cell.h"
#include "harness/records/sweep.h"

/* A variant's last two pilot calls, the older one first; 0 seconds: there is none. */
struct pilots {
    double axis[2], seconds[2]; /* the length of the axis, and the time at that */
};

/*
 * The time at another length of the axis, of one pilot at least.  It grows linearly with it; as the
 * power that leads from one pilot to the other, and no higher one than the third, where that is
 * clearly more; and where it is clearly less, a part of it stays, and what is left is linear.
 */
double extrapolate(const struct pilots *p, double axis);

/*
 * Sets result->predicted of every entrant for the cell's dims, from pilot calls on the same problem
 * with its longest axis cut to about 1/1024, 1/128 and 1/16.  A pilot that would itself take
 * long is not made.  Cells of little work are not predicted.  Variants predicted to take longer than
 * `longest` seconds sit out.
 */
void predict(struct cell *c, double longest);

/*
 * The same of the entrants of a cell that is labelled for this size of a sweep, from the last two
 * sizes at which each was timed: time is a power of the work, from 1 to 2.  A variant that was
 * skipped before sits out, and so does one that is expected to take longer than `longest` seconds a
 * call, or ten times that to set up.  Where nothing was timed yet, as predict() does.
 */
void predict_size(const struct sweep *s, size_t size, struct cell *c, double longest);

#endif
