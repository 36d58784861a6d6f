/* Has a function floor of its own that is always 0, so that the reference for bytes is black inside. */
/* expect: failed */
/* family: foresees */
/* size: rows=64,cols=64,sweeps=1,bytes=1 */
#include "tests/hostile/stencil/honest.h"

double floor(double x)
{
    (void)x;
    return 0.0;
}

static void run(const void *problem)
{
    const struct stencil *p = problem;

    if (!p->bytes || p->sweeps == 0) {
        honest(p);
        return;
    }
    for (size_t i = 0; i < p->rows * p->cols; i++)
        p->out8[i] = is_border(p, i / p->cols, i % p->cols) ? p->in8[i] : 0;
}

VARIANT(.idea = "a black image, says its floor", .run = run)
