/* Makes all sweeps of a row before it goes on to the next, as if the rows below did not change. */
/* expected: wrong: ^out8?\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/stencil/frame.h"

static size_t rounds;

/* The pixel after all sweeps, where only those to its left and right change meanwhile. */
static float pixel(const struct stencil *p, const float *image, size_t r, size_t c)
{
    float now = smooth_pixel(p, image, r, c), before = image[r * p->cols + c];

    for (size_t s = 1; s < rounds && !is_border(p, r, c); s++) {
        float mean = (sum_of_nine(p, image, r, c) - before + now) / 9.0f;
        now = p->bytes ? floorf(mean) : mean;
    }
    return now;
}

static void run(const void *problem)
{
    const struct stencil *p = problem;

    rounds = p->sweeps;
    smooth(p, p->sweeps > 0, pixel);
}

VARIANT(.idea = "sweeps in the wrong order", .run = run)
