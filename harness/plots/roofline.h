/*
 * Variants under the ceilings of their machine: what gnuplot does not look up or place well.
 *
 * Across is the problem's arithmetic for each byte of its inputs and outputs, up is what a variant
 * gets done of it in a second.  A roof is the slope of a memory's rate and the level of arithmetic:
 * of the CPU's one core, of all its cores, of each other device.
 */
#ifndef RUNGS_ROOFLINE_H
#define RUNGS_ROOFLINE_H

#include "harness/plots/select.h"
#include "harness/plots/tidy.h"

/* A table of the frame, the roofs' lines, the variants' points, and where each has its name; no
   lines where there is nothing to draw. */
void roofline_export(const struct tidy *measurements, const struct selection *of,
                     const struct tidy *ceilings, const struct selection *under,
                     struct tidy *roofs);

#endif
