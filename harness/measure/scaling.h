/*
 * Scaling: the same variants on one thread, on two, on four; or on so many devices.  What does more of
 * them bring?
 *
 * Each value is a variant of its own in its cell, with its own worker, and takes turns with all others;
 * so a speed-up has its interval from pairs of rounds, as every ratio has.
 */
#ifndef RUNGS_SCALING_H
#define RUNGS_SCALING_H

#include "harness/measure/cell.h"

/* In the place of a cell's variants, each one that scales at each value: those of the CPU that were
   seen to use several threads (all have been called at the check sizes), those of all GPUs.  What
   has failed stays one variant with its fate; what asks for more devices than `there` are (0: not
   known) has no device. */
void cell_scale(struct cell *c, const struct steps *threads, const struct steps *devices, int there);

#endif
