/*
 * Scaling: the same variants with 1, 2, 4 ... threads, devices, ranks or processes.
 *
 * Each value makes a variant of its own in the cell, with its own worker, and takes turns with all
 * others.  So a speed-up has an interval from pairs of rounds, as every ratio has.
 */
#ifndef RUNGS_SCALING_H
#define RUNGS_SCALING_H

#include "harness/measure/cell.h"

/* The values of each axis; without values nothing scales along it. */
struct axes {
    struct steps threads, devices, ranks, processes;
};

/* Replaces each variant of a cell that scales by one for each value: variants on the CPU that were
   seen to use several threads (the check sizes have called all), those of all GPUs, and those by MPI; with values of
   `processes` all others than these last.  A variant
   that has failed stays single.  A value above `there`, the number of devices (0: not known), gets the
   outcome OUTCOME_NO_DEVICE. */
void cell_scale(struct cell *c, const struct axes *axes, int there);

#endif
