/*
 * Scaling: the same variants with 1, 2, 4 ... threads, or devices.
 *
 * Each value makes a variant of its own in the cell, with its own worker, and takes turns with all
 * others.  So a speed-up has an interval from pairs of rounds, as every ratio has.
 */
#ifndef RUNGS_SCALING_H
#define RUNGS_SCALING_H

#include "harness/measure/cell.h"

/* Replaces each variant of a cell that scales by one for each value: variants on the CPU that were
   seen to use several threads (the check sizes have called all), and those of all GPUs.  A variant
   that has failed stays single.  A value above `there`, the number of devices (0: not known), gets the
   outcome OUTCOME_NO_DEVICE. */
void cell_scale(struct cell *c, const struct steps *threads, const struct steps *devices, int there);

#endif
