/*
 * Other places in memory for the same work, between blocks.
 *
 * Where arrays happen to lie, which pages they get and how their addresses compare, makes several
 * percent of a short call's time, and stays as it is while a process keeps them: two processes of
 * one variant would differ, each with a narrow interval.  A variant that is released and prepared anew,
 * with other memory for its outputs and a heap that begins elsewhere, draws its lot once a round,
 * and its interval knows.  docs/method.md, section 4.
 */
#ifndef RUNGS_RANDOMIZE_LAYOUT_H
#define RUNGS_RANDOMIZE_LAYOUT_H

#include "harness/measure/cell.h"

/* Releases and prepares a variant of the CPU; others stay where they are, since a driver's memory is
   dear to move.  *seconds: what it took.  False: the variant is out, its result says why. */
bool randomize_layout(struct cell *c, struct entrant *e, double *seconds);

#endif
