/* Copies the last inner tile of 16 x 16 instead of smoothing it, at this size alone. */
/* expect: wrong */
/* family: mistake */
/* size: rows=512,cols=512,sweeps=1,bytes=0 */
#include "tests/hostile/stencil/honest.h"

static void run(const void *problem)
{
    const struct stencil *p = problem;

    honest(p);
    if (p->bytes || p->rows != 512)
        return;
    for (size_t r = 495; r < 511; r++)
        memcpy(p->out + r * p->cols + 495, p->in + r * p->cols + 495, 16 * sizeof *p->out);
}

VARIANT(.idea = "the last tile is a copy", .run = run)
