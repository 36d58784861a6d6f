/* Makes no mistake.  It must pass, whatever the other variants of the run do. */
/* expected: ok */
#include "rest.h"

static void run(const void *problem)
{
    const struct map *p = problem;

    map_right(p, 0, p->n);
}

VARIANT(.idea = "the control", .run = run)
