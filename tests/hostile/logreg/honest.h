/* The honest method: used by the bystander, and by attacks where they must compute. */
#ifndef RUNGS_HOSTILE_LOGREG_H
#define RUNGS_HOSTILE_LOGREG_H

#include <string.h>

#include "common/variant.h"
#include "tests/broken/logreg/frame.h"

static inline void honest(const struct logreg *p)
{
    static const struct mistake none = {0};

    broken_solve(p, &none, p->w);
}

#endif
