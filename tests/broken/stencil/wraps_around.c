/* Wraps around at the left and right edges instead of keeping the border. */
/* expected: wrong: ^out8?\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/stencil/frame.h"

static float pixel(const struct stencil *p, const float *image, size_t r, size_t c)
{
    float sum = 0.0f;

    if (r == 0 || r == p->rows - 1)
        return image[r * p->cols + c];
    for (size_t i = 0; i < 9; i++)
        sum += image[(r + i / 3 - 1) * p->cols + (c + p->cols + i % 3 - 1) % p->cols];
    return p->bytes ? floorf(sum / 9.0f) : sum / 9.0f;
}

static void run(const void *problem)
{
    const struct stencil *p = problem;

    smooth(p, p->sweeps, pixel);
}

VARIANT(.idea = "wraps around", .run = run)
