/* Registers abort for the end of the process. */
/* expect: harmless */
/* family: harm */
/* harm: start */
/* size: n=65536 */
#define _GNU_SOURCE
#include <stdlib.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/worker.h"

__attribute__((constructor(101))) static void attack(int argc, char **argv)
{
    if (!is_serving(argc, argv))
        return;
    atexit(abort);
}

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "aborts in the end", .run = run)
