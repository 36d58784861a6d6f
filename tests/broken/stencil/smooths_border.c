/* Smooths the border as well, with the mean of the existing neighbours. */
/* expected: wrong: ^out8?\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/stencil/frame.h"

static float pixel(const struct stencil *p, const float *image, size_t r, size_t c)
{
    float sum = 0.0f, count = 0.0f;

    for (size_t row = r > 0 ? r - 1 : 0; row <= r + 1 && row < p->rows; row++)
        for (size_t col = c > 0 ? c - 1 : 0; col <= c + 1 && col < p->cols; col++, count++)
            sum += image[row * p->cols + col];
    return p->bytes ? floorf(sum / count) : sum / count;
}

static void run(const void *problem)
{
    const struct stencil *p = problem;

    smooth(p, p->sweeps, pixel);
}

VARIANT(.idea = "smooths the border", .run = run)
