/* Makes no mistake.  It must pass, whatever the other variants of the run do. */
/* expected: ok */
#include "common/variant.h"
#include "tests/broken/stencil/frame.h"

static void run(const void *problem)
{
    const struct stencil *p = problem;

    smooth(p, p->sweeps, smooth_pixel);
}

VARIANT(.idea = "the control", .run = run)
