/* Never comes back from run. */
/* expect: timeout: run */
/* family: harm */
/* harm: hangs */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void spin(const void *problem)
{
    (void)problem;
    for (volatile int turn = 0; turn >= 0; turn ^= 1)
        ;
}

VARIANT(.idea = "no end of run", .run = spin)
