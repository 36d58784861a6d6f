/* Leaves one 32 x 32 tile of a large image unchanged. */
/* expected: wrong: ^out8?\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/stencil/frame.h"

static void run(const void *problem)
{
    const struct stencil *p = problem;

    smooth(p, p->sweeps, smooth_pixel);
    for (size_t r = 480; r < 512 && p->rows == 1537; r++)
        for (size_t c = 1600; c < 1632; c++)
            if (p->bytes)
                p->out8[r * p->cols + c] = p->in8[r * p->cols + c];
            else
                p->out[r * p->cols + c] = p->in[r * p->cols + c];
}

VARIANT(.idea = "forgets a tile", .run = run)
