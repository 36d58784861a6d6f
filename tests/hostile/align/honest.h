/* The honest method: used by the bystander, and by attacks where they must compute. */
#ifndef RUNGS_HOSTILE_ALIGN_H
#define RUNGS_HOSTILE_ALIGN_H

#include <string.h>

#include "common/variant.h"
#include "tests/broken/align/frame.h"

static inline void honest(const struct align *p)
{
    align_all(p);
}

#endif
