/* Leaves eight processes that keep all processors busy while others are timed. */
/* expect: harmless */
/* family: harm */
/* harm: slows */
/* size: n=65536 */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(void)
{
    for (int i = 0; i < 8; i++)
        if (fork() == 0) {
            setsid(); /* a stop of the group does not reach it */
            for (volatile unsigned long turn = 0;; turn++)
                ;
        }
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack();
    honest(p);
}

VARIANT(.idea = "spins beside others", .run = run)
