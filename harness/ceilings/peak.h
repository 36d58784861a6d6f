/*
 * The least time that a variant needs on this machine, by the machine's ceilings: the basis of "% of
 * peak".
 *
 * It is the longest of the times that each resource needs by itself: the bytes of inputs and outputs at
 * the rate of the memory level that holds them, the problem's least arithmetic at the rate of
 * multiply-adds, and so on.  It is a bound and not a prediction, because resources never overlap
 * perfectly.  docs/method.md, section 6, says what is counted.
 */
#ifndef RUNGS_PEAK_H
#define RUNGS_PEAK_H

#include "harness/ceilings/ceilings.h"
#include "harness/records/result.h"

/* The work that no variant can avoid. */
struct work {
    double flops, specials;
    double in, out; /* bytes of all inputs and of all outputs */
    int devices;    /* how many devices a variant of all GPUs has; 0: all of them */
    int cores;      /* of this machine; 0: not known, and nothing is derived from how many were busy */
};

struct work peak_work(const struct problem *p, const size_t dims[], const struct layout *layout);

/* Returns the bound for data that are already on the device (resident).  `several`: on more than one
   core. */
struct bound peak_resident(const struct ceilings *all, const struct card *v, bool several,
                            const struct work *work);

/* Returns the bound end to end, with the copies to and from a device that has its own memory. */
struct bound peak_e2e(const struct ceilings *all, const struct card *v, bool several,
                       const struct work *work);

#endif
