/* Never comes back from upload. */
/* expect: timeout: upload */
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

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "no end of upload", .upload = spin, .run = run)
