/*
 * Companions: more processes of one variant, which call it at the same time.
 *
 * The time of a call is that of all processes together: so many calls as they make in a second, and so many processes, e.g.
 * 4 processes that make 100 calls a second together take 40 ms each.  By its own clock alone, a process may look as fast
 * as ever, because the kernel lets one that has just woken up run first.
 *
 * With --processes 4 an entrant has three of them.  Each is a worker of its own, with outputs of its own, and opens the
 * same case.  While a block of the entrant is measured, its companions make whole calls without a pause: each has finished
 * one before the block begins, and none stops before the block has ended.  At the end of a pass the answers that they
 * leave in such calls are judged.  If one of them fails, the entrant is out.
 */
#ifndef RUNGS_COMPANIONS_H
#define RUNGS_COMPANIONS_H

#include "harness/measure/cell.h"

/* Starts as many as the entrant's scale says.  Each may have `memory` bytes. */
void companions_start(struct entrant *e, int threads, size_t memory);

/* Opens the case in each, and prepares. */
void companions_open(struct cell *c, struct entrant *e);
void companions_release(struct cell *c, struct entrant *e);

/* Begin and end their calls.  False: one has failed, and the entrant is out.  *cycles: how many they made together in this
   interval, by clock_now(). */
bool companions_begin(struct cell *c, struct entrant *e);
bool companions_end(struct cell *c, struct entrant *e, double from, double until, double *cycles);

/* Replaces an entrant's samples by the time of a call of all processes together, of which the others made so many a
   second.  Phases of several are unknown. */
void companions_share(const struct entrant *e, struct samples *s, double rate);

/* Judges what calls leave that all processes make at the same time, on the present inputs, whose reference is there. */
void companions_judge(struct cell *c, struct entrant *e);

/* Ends them all. */
void companions_dismiss(struct entrant *e);

#endif
