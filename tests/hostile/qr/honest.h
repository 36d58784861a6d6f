/* The honest method: used by the bystander, and by attacks where they must compute. */
#ifndef RUNGS_HOSTILE_QR_H
#define RUNGS_HOSTILE_QR_H

#include "common/variant.h"
#include "tests/broken/qr/frame.h"

static inline void honest(const struct qr *p)
{
    full(p);
}

#endif
