/* Nothing is wrong here: this one runs beside each of the others, and must come to no harm. */
/* expect: ok */
/* family: control */
/* size: n=1024,every=10 */
#include "tests/hostile/cg/honest.h"

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "the bystander", .prepare = honest_prepare, .run = run, .release = honest_release)
