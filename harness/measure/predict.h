/*
 * Predicts how long a call will take before it is made, because some variants would take hours.
 */
#ifndef RUNGS_PREDICT_H
#define RUNGS_PREDICT_H

#include "harness/measure/cell.h"
#include "harness/records/sweep.h"

/* A variant's last two pilot calls, the older one first; 0 seconds: no such call. */
struct pilots {
    double axis[2], seconds[2]; /* length of the axis, and seconds */
};

/*
 * Returns the axis that pilots cut: the first that has 4096 or more, or if there is none, the longest.  A problem's
 * first axis counts what is computed independently: rows, signals, observations.  With fewer of these, the work for
 * each stays the same, while it changes with the length of a signal or the number of references.
 */
size_t pilots_axis(const struct problem *p, const size_t dims[]);

/*
 * Returns the time at another length of the axis, from one or two pilots.  The time is taken to grow
 * linearly.  If it grew clearly faster from one pilot to the other, it grows by the power that leads from
 * one to the other, at most the third.  If clearly slower, part of it is constant and the rest linear.
 */
double extrapolate(const struct pilots *p, double axis);

/*
 * Sets result->predicted of every entrant for the cell's dims, from pilot calls on the same problem with
 * one axis cut to about 1/1024, 1/512, 1/128 and 1/16.  A pilot that would itself take long is skipped,
 * and so are cells of little work.  Variants predicted to take longer than `longest` seconds do not take
 * part.
 */
void predict(struct cell *c, double longest);

/*
 * The same, but a variant takes part if its call is predicted to take at most `times` as long as the shortest that is
 * predicted, or hundredths of a second.  Pilots decide as well: one that is predicted to take four times longer still
 * is not made.  So this takes a few times as long as a pilot of the fastest variant.
 */
void predict_fastest(struct cell *c, double times);

/*
 * The same for the entrants of a cell that is labelled for this size of a sweep, from the last two sizes
 * at which each was timed: the time is a power of the work, from 1 to 2.  A variant does not take part if
 * it was skipped before, or if it is expected to take longer than `longest` seconds a call or ten times
 * that to set up.  Where nothing has been timed yet, does as predict().
 */
void predict_size(const struct sweep *s, size_t size, struct cell *c, double longest);

#endif
