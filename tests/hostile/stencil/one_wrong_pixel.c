/* Gets one pixel of 17 million wrong, in the middle. */
/* expect: wrong */
/* family: mistake */
/* size: rows=4200,cols=4200,sweeps=1,bytes=0 */
/* more: --max-time 10 */
#include "tests/hostile/stencil/honest.h"

static void run(const void *problem)
{
    const struct stencil *p = problem;

    honest(p);
    if (!p->bytes && p->rows > 4000)
        p->out[2222 * p->cols + 3333] += 1.0f;
}

VARIANT(.idea = "one pixel is wrong", .run = run)
