/* Leaves its group for a session of its own, where a signal to the group does not reach it. */
/* expect: harmless */
/* family: harm */
/* harm: remains */
/* size: n=65536 */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    setpgid(0, 0);
    setsid();
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "leaves its group", .run = run)
