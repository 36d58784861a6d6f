/* The same loop as the bystander: says what its time is beside an honest one, and that no alarm is false. */
/* expect: ok */
/* family: control */
/* size: rows=256,cols=256,sweeps=1,bytes=0 */
#include "tests/hostile/stencil/honest.h"

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "its twin", .run = run)
