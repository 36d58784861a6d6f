/* Rounds bytes down after the last sweep, and not after every one. */
/* expected: wrong: ^out8\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/stencil/frame.h"

static float pixel(const struct stencil *p, const float *image, size_t r, size_t c)
{
    if (is_border(p, r, c))
        return image[r * p->cols + c];
    return sum_of_nine(p, image, r, c) / 9.0f;
}

static void run(const void *problem)
{
    const struct stencil *p = problem;

    smooth(p, p->sweeps, pixel);
}

VARIANT(.idea = "bytes rounded at the end", .run = run)
