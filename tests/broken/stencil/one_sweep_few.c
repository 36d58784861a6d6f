/* Counts the sweeps from one. */
/* expected: wrong: ^out\[1\]\[1\] is .* \(1 of 9 wrong\)$ */
#include "common/variant.h"
#include "tests/broken/stencil/frame.h"

static void run(const void *problem)
{
    const struct stencil *p = problem;

    smooth(p, p->sweeps > 0 ? p->sweeps - 1 : 0, smooth_pixel);
}

VARIANT(.idea = "one sweep too few", .run = run)
