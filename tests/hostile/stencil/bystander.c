/* Nothing is wrong here: this one runs beside each of the others, and must come to no harm. */
/* expect: ok */
/* family: control */
/* size: rows=256,cols=256,sweeps=1,bytes=0 */
#include "tests/hostile/stencil/honest.h"

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "the bystander", .run = run)
