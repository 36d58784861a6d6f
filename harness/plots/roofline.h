/*
 * The data of a roofline: roofs from the ceilings of a machine, points of variants, places of names.
 *
 * The x axis is the problem's arithmetic intensity: flops for each byte of its inputs and outputs.  The y
 * axis is flops a second.  A roof consists of a slope (memory bandwidth) and a level (peak arithmetic);
 * there is one for one CPU core, one for all CPU cores and one for each other device.
 */
#ifndef RUNGS_ROOFLINE_H
#define RUNGS_ROOFLINE_H

#include "harness/plots/select.h"
#include "harness/plots/tidy.h"

/* Makes a table of the frame, the lines of the roofs and the points of the variants, each with the place of
   its name.  Without data it stays empty. */
void roofline_export(const struct tidy *measurements, const struct selection *of,
                     const struct tidy *ceilings, const struct selection *under,
                     struct tidy *roofs);

#endif
