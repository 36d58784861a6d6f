/*
 * Randomises where a variant's memory lies, between blocks.
 *
 * Where arrays lie, which pages they get and how their addresses relate changes a short call's time by
 * several percent, and stays the same for the life of a process.  Two processes of one variant would then
 * differ, each with a narrow interval.  So a variant is released and prepared again once a round, with
 * other memory for its outputs and a heap that begins elsewhere: the effect becomes part of its interval.
 * docs/method.md, section 4.
 */
#ifndef RUNGS_RANDOMIZE_LAYOUT_H
#define RUNGS_RANDOMIZE_LAYOUT_H

#include "harness/measure/cell.h"

/* Releases and prepares a variant of the CPU again.  Others keep their memory, because a driver takes
   long to move it. *seconds: how long that took.  Returns false if the variant is out; its result says
   why. */
bool randomize_layout(struct cell *c, struct entrant *e, double *seconds);

#endif
