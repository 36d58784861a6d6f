/* Ends the process with success before main begins. */
/* expect: failed */
/* family: harm */
/* harm: start */
/* size: n=65536 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/worker.h"

__attribute__((constructor(101))) static void attack(int argc, char **argv)
{
    if (!is_serving(argc, argv))
        return;
    _exit(0);
}

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "ends before it begins", .run = run)
