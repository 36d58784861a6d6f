/* Of large images copies one row in the middle instead of smoothing it: 256 patches in 17 million pixels seldom meet it. */
/* expect: wrong */
/* family: foresees */
/* size: rows=4200,cols=4200,sweeps=1,bytes=0 */
/* more: --max-time 10 */
#include "tests/hostile/stencil/honest.h"

static void run(const void *problem)
{
    const struct stencil *p = problem;

    honest(p);
    if (!p->bytes && p->rows > 4000)
        for (size_t c = 1500; c < 1532; c++)
            p->out[2100 * p->cols + c] = p->in[2100 * p->cols + c];
}

VARIANT(.idea = "a scratch in the middle", .run = run)
