/* Never comes back from a destructor. */
/* expect: harmless */
/* family: harm */
/* harm: start */
/* size: n=65536 */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

__attribute__((destructor)) static void attack(void)
{
    for (;;)
        pause();
}

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "no end of a destructor", .run = run)
