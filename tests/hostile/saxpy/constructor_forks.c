/* Leaves a process behind in a constructor. */
/* expect: harmless */
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
    if (fork() == 0) {
        setsid();
        sleep(600);
        _exit(0);
    }
}

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "forks before it begins", .run = run)
