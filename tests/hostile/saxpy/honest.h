/* The honest method: used by the bystander, and by attacks where they must compute. */
#ifndef RUNGS_HOSTILE_SAXPY_H
#define RUNGS_HOSTILE_SAXPY_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/saxpy.h"
#include "common/variant.h"

static inline void honest(const struct saxpy *p)
{
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

#endif
