/* Handles float32 images only, and does nothing for bytes. */
/* expected: wrong: ^out8\[[0-9]+\]\[[0-9]+\] is 255, expected */
#include "common/variant.h"
#include "tests/broken/stencil/frame.h"

static void run(const void *problem)
{
    const struct stencil *p = problem;

    if (!p->bytes)
        smooth(p, p->sweeps, smooth_pixel);
}

VARIANT(.idea = "float32 only", .run = run)
