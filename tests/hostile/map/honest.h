/* The honest method: used by the bystander, and by attacks where they must compute. */
#ifndef RUNGS_HOSTILE_MAP_H
#define RUNGS_HOSTILE_MAP_H

#include <string.h>

#include "tests/broken/map/rest.h"

static inline void honest(const struct map *p)
{
    map_right(p, 0, p->n);
}

#endif
