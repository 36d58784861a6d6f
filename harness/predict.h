/*
 * How long would a call take?  Asked before it is made, because some rungs would not be done by
 * tomorrow.
 */
#ifndef RUNGS_PREDICT_H
#define RUNGS_PREDICT_H

#include "harness/cell.h"

/*
 * Sets row->predicted of every entrant for the cell's dims, from pilot calls on the same problem
 * with its longest axis cut to about 1/1024, 1/128 and 1/16: time is taken to grow linearly
 * with that axis, or as the power that leads from one pilot to the next where that is clearly more.  A pilot that would itself take
 * long is not made.  Cells of little work are not predicted.  Rungs predicted to take longer than
 * `longest` seconds sit out.
 */
void predict(struct cell *c, double longest);

/* How much work a case is, roughly, of whatever kind. */
double operations(const struct problem *p, const size_t dims[]);

#endif
