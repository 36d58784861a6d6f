/* Is right as long as the check sizes come first, as they do in a run's first pass, and wrong in a
   process of a later pass.  So its timed answers must be judged, too (tests/long/passes.t). */
/* expected: ok */
#include <stdbool.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static bool checked;

    checked |= p->n == 1;
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + (checked ? p->y[i] : 0);
}

VARIANT(.idea = "right where it is checked", .run = run)
