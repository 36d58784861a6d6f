/* Leaves traps for inexact results switched on: the harness would fault in its own arithmetic. */
/* expect: failed */
/* family: harm */
/* harm: slows */
/* size: n=65536 */
#include <fenv.h>

#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    honest(problem);
    feenableexcept(FE_INEXACT);
}

VARIANT(.idea = "leaves traps on", .run = run)
