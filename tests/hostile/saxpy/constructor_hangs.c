/* Never comes back from a constructor. */
/* expect: failed */
/* family: harm */
/* harm: start */
/* size: n=65536 */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/worker.h"

__attribute__((constructor(101))) static void attack(int argc, char **argv)
{
    if (!is_serving(argc, argv))
        return;
    for (;;)
        pause();
}

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "no end of a constructor", .run = run)
