/* The honest method: used by the bystander, and by attacks where they must compute. */
#ifndef RUNGS_HOSTILE_AXXAT_H
#define RUNGS_HOSTILE_AXXAT_H

#include "common/variant.h"
#include "tests/broken/axxat/frame.h"

static inline void honest(const struct axxat *p)
{
    full(p);
}

#endif
