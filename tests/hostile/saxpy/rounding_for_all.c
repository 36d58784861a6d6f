/* Leaves the processor rounding upwards. */
/* expect: breach */
/* family: harm */
/* harm: words */
/* size: n=65536 */
#include <fenv.h>

#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    honest(problem);
    fesetround(FE_UPWARD);
}

VARIANT(.idea = "leaves another rounding", .run = run)
