/* Computes the mean of the eight neighbours without the pixel itself. */
/* expected: wrong: ^out\[1\]\[1\] is .* \(1 of 9 wrong\)$ */
#include "common/variant.h"
#include "tests/broken/stencil/frame.h"

static float pixel(const struct stencil *p, const float *image, size_t r, size_t c)
{
    if (is_border(p, r, c))
        return image[r * p->cols + c];
    float mean = (sum_of_nine(p, image, r, c) - image[r * p->cols + c]) / 8.0f;
    return p->bytes ? floorf(mean) : mean;
}

static void run(const void *problem)
{
    const struct stencil *p = problem;

    smooth(p, p->sweeps, pixel);
}

VARIANT(.idea = "leaves the middle out", .run = run)
