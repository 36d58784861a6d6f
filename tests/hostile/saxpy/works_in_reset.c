/* Computes in reset, which is not timed, and does nothing in run. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void reset(const void *problem)
{
    honest(problem);
}

static void run(const void *problem)
{
    (void)problem;
}

VARIANT(.idea = "works in reset", .reset = reset, .run = run)
