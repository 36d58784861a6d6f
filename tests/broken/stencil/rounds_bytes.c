/* Rounds bytes to nearest where the specification rounds down: off by one, which is invisible on a
   screen. */
/* expected: wrong: ^out8\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/stencil/frame.h"

static float pixel(const struct stencil *p, const float *image, size_t r, size_t c)
{
    if (!p->bytes || is_border(p, r, c))
        return smooth_pixel(p, image, r, c);
    return rintf(sum_of_nine(p, image, r, c) / 9.0f);
}

static void run(const void *problem)
{
    const struct stencil *p = problem;

    smooth(p, p->sweeps, pixel);
}

VARIANT(.idea = "bytes rounded to nearest", .run = run)
