/*
 * Limits: how long a variant takes at least, on this machine, by its ceilings.
 *
 * The floor is the longest of what each resource needs by itself: the bytes of inputs and outputs
 * at the rate of the memory that holds that many, the problem's least arithmetic at the rate of
 * multiply-adds, and so on.  It is a bound and no prediction: nothing overlaps better than wholly.
 * docs/method.md, section 6, says what is counted.
 */
#ifndef RUNGS_LIMITS_H
#define RUNGS_LIMITS_H

#include "harness/ceilings/ceilings.h"
#include "harness/records/result.h"

/* What cannot be done without. */
struct work {
    double flops, specials;
    double in, out; /* bytes of all inputs and of all outputs */
    int devices;    /* for a variant of all GPUs, of how many that is; 0: as many as there are */
};

struct work limit_work(const struct problem *p, const size_t dims[], const struct layout *layout);

/* For a variant whose data are where they are computed.  `several`: on more than one core. */
struct limit limit_resident(const struct ceilings *all, const struct card *v, bool several,
                            const struct work *work);

/* And with the way there and back, for a device with a memory of its own. */
struct limit limit_e2e(const struct ceilings *all, const struct card *v, bool several,
                       const struct work *work);

#endif
