/* Returns at once for 0 sweeps, without the copy. */
/* expected: nan: ^out\[0\]\[0\] is -?nan, expected */
#include "common/variant.h"
#include "tests/broken/stencil/frame.h"

static void run(const void *problem)
{
    const struct stencil *p = problem;

    if (p->sweeps > 0)
        smooth(p, p->sweeps, smooth_pixel);
}

VARIANT(.idea = "no copy without sweeps", .run = run)
