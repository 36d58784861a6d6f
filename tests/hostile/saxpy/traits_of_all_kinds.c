/* Claims all traits, also those that there are none of, so that no bound would hold for it. */
/* expect: harmless */
/* family: foresees */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "all traits", .run = run, .traits = ~0U)
