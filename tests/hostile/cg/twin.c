/* The same loop as the bystander: says what its time is beside an honest one, and that no alarm is false. */
/* expect: ok */
/* family: control */
/* size: n=1024,every=10 */
#include "tests/hostile/cg/honest.h"

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "its twin", .prepare = honest_prepare, .run = run, .release = honest_release)
