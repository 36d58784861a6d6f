/* Ignores in a constructor the signals by which the program learns of dead workers. */
/* expect: harmless */
/* family: harm */
/* harm: start */
/* size: n=65536 */
#define _GNU_SOURCE
#include <signal.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/worker.h"

__attribute__((constructor(101))) static void attack(int argc, char **argv)
{
    if (!is_serving(argc, argv))
        return;
    signal(SIGCHLD, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
}

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "ignores signals before it begins", .run = run)
