/* Names itself as the one that it is compared with, on a device that is none. */
/* expect: not built */
/* family: harm */
/* harm: words */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "its own base", .base = "base_is_itself", .traits = ~64u, .run = run)
