/* Leaves the border zero, as in a freshly cleared image. */
/* expected: wrong: ^out8?\[[0-9]+\]\[[0-9]+\] is 0, expected */
#include "common/variant.h"
#include "tests/broken/stencil/frame.h"

static float pixel(const struct stencil *p, const float *image, size_t r, size_t c)
{
    return is_border(p, r, c) ? 0.0f : smooth_pixel(p, image, r, c);
}

static void run(const void *problem)
{
    const struct stencil *p = problem;

    smooth(p, p->sweeps, pixel);
}

VARIANT(.idea = "the border set to zero", .run = run)
