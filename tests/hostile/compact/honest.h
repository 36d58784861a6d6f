/* The honest method: used by the bystander, and by attacks where they must compute. */
#ifndef RUNGS_HOSTILE_COMPACT_H
#define RUNGS_HOSTILE_COMPACT_H

#include <stdlib.h>
#include <string.h>

#include "common/compact.h"
#include "common/variant.h"

static inline void honest(const struct compact *p)
{
    size_t count = 0;

    for (size_t i = 0; i < p->n; i++)
        if (p->x[i] == p->x[i])
            p->kept[count++] = p->x[i];
    *p->count = count;
}

#endif
