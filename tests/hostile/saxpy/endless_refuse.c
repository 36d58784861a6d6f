/* Never comes back from refuse. */
/* expect: timeout: refuse */
/* family: harm */
/* harm: hangs */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static const char *spin(const void *problem)
{
    (void)problem;
    for (volatile int turn = 0; turn >= 0; turn ^= 1)
        ;
    return NULL;
}

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "no end of refuse", .refuse = spin, .run = run)
