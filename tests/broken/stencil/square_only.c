/* Uses the number of rows as the length of a row: right for squares. */
/* expected: wrong: ^out\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/stencil/frame.h"

static float pixel(const struct stencil *p, const float *image, size_t r, size_t c)
{
    struct stencil turned = *p;
    size_t i = r * p->cols + c;

    turned.rows = p->cols;
    turned.cols = p->rows;
    return smooth_pixel(&turned, image, i / p->rows, i % p->rows);
}

static void run(const void *problem)
{
    const struct stencil *p = problem;

    smooth(p, p->sweeps, pixel);
}

VARIANT(.idea = "rows for columns", .run = run)
