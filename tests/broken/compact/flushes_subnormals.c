/* Writes 0 for a subnormal number, as a unit that flushes them does. */
/* expected: wrong: ^kept\[ */
#include <float.h>
#include <math.h>

#include "common/compact.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct compact *p = problem;
    size_t count = 0;

    for (size_t i = 0; i < p->n; i++)
        if (p->x[i] == p->x[i])
            p->kept[count++] = p->x[i] > -FLT_MIN && p->x[i] < FLT_MIN ? copysignf(0.0f, p->x[i]) : p->x[i];
    *p->count = count;
}

VARIANT(.idea = "flushes", .run = run)
