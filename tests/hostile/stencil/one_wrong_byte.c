/* Gets one byte of 17 million wrong by one: an image of bytes has no poison to be found by. */
/* expect: wrong */
/* family: mistake */
/* size: rows=4200,cols=4200,sweeps=1,bytes=1 */
/* more: --max-time 10 */
#include "tests/hostile/stencil/honest.h"

static void run(const void *problem)
{
    const struct stencil *p = problem;

    honest(p);
    if (p->bytes && p->rows > 4000)
        p->out8[2222 * p->cols + 3333] ^= 1;
}

VARIANT(.idea = "one byte is wrong", .run = run)
