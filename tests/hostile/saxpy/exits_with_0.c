/* Leaves by _exit(0) inside run. */
/* expect: crash: exits|closes */
/* family: harm */
/* harm: ends */
/* size: n=65536 */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    _exit(0);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "exits with 0", .run = run)
