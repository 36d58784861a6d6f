/* Never comes back from release. */
/* expect: timeout: release */
/* family: harm */
/* harm: hangs */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void spin(void)
{
    for (volatile int turn = 0; turn >= 0; turn ^= 1)
        ;
}

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "no end of release", .release = spin, .run = run)
