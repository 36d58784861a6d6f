/* Leaves a daemon by two forks and a session of its own. */
/* expect: harmless */
/* family: harm */
/* harm: remains */
/* size: n=65536 */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(void)
{
    if (fork() != 0)
        return;
    setsid();
    if (fork() == 0)
        sleep(600);
    _exit(0);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack();
    honest(p);
}

VARIANT(.idea = "leaves a daemon", .run = run)
