/* What most wrong variants of map have right: a loop over all elements, and the functions that are not theirs to spoil. */
#ifndef RUNGS_BROKEN_MAP_REST_H
#define RUNGS_BROKEN_MAP_REST_H

#include <math.h>
#include <stdlib.h>

#include "common/map.h"
#include "common/variant.h"

static inline float right_trig(float x, float y)
{
    return cosf(x) + sinf(y);
}

static inline float right_reldiff(float x, float y)
{
    return 2.0f * (x - y) / (x + y);
}

static inline int16_t right_suppress(int16_t x, int threshold)
{
    return abs((int)x) > threshold ? x : 0;
}

/* Elements `begin` up to `end`, by these functions. */
static inline void map_range(const struct map *p, size_t begin, size_t end, float trig(float, float),
                             float reldiff(float, float), int16_t suppress(int16_t, int))
{
    for (size_t i = begin; i < end; i++)
        if (p->f == MAP_SUPPRESS)
            p->z16[i] = suppress(p->x16[i], p->threshold);
        else
            p->z[i] = p->f == MAP_TRIG ? trig(p->x[i], p->y[i]) : reldiff(p->x[i], p->y[i]);
}

static inline void map_right(const struct map *p, size_t begin, size_t end)
{
    map_range(p, begin, end, right_trig, right_reldiff, right_suppress);
}

#endif
