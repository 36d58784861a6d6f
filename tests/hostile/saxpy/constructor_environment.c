/* Sets an environment for all processes that the program starts. */
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
    setenv("OMP_NUM_THREADS", "0", 1);
    setenv("MALLOC_PERTURB_", "170", 1);
    setenv("GOMP_SPINCOUNT", "infinity", 1);
    setenv("LD_PRELOAD", "/tmp/hostile.so", 1);
}

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "sets an environment", .run = run)
