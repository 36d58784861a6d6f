/* Computes in the first 16 calls after prepare, as many as a judge would look at, and then no more. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static unsigned long calls;

static void prepare(const void *problem)
{
    (void)problem;
    calls = 0;
}

static void run(const void *problem)
{
    if (calls++ < 16)
        honest(problem);
}

VARIANT(.idea = "works at first", .prepare = prepare, .run = run)
