/*
 * How long would a call take?  Asked before it is made, because some rungs would not be done by
 * tomorrow.
 */
#ifndef RUNGS_PREDICT_H
#define RUNGS_PREDICT_H

#include "harness/cell.h"

/* A rung's last two pilot calls, the older one first; 0 seconds: there is none. */
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
 * Sets row->predicted of every entrant for the cell's dims, from pilot calls on the same problem
 * with its longest axis cut to about 1/1024, 1/128 and 1/16.  A pilot that would itself take
 * long is not made.  Cells of little work are not predicted.  Rungs predicted to take longer than
 * `longest` seconds sit out.
 */
void predict(struct cell *c, double longest);

/* How much work a case is, roughly, of whatever kind. */
double operations(const struct problem *p, const size_t dims[]);

#endif
