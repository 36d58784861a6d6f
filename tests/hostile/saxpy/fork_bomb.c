/* Doubles itself eight times, and all of the copies go on. */
/* expect: harmless */
/* family: harm */
/* harm: memory */
/* size: n=65536 */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(void)
{
    for (int depth = 0; depth < 8; depth++) /* 256 processes */
        fork();
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack();
    honest(p);
}

VARIANT(.idea = "forks eight times", .run = run)
