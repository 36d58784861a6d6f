/* Blocks all signals. */
/* expect: harmless */
/* family: harm */
/* harm: remains */
/* size: n=65536 */
#define _GNU_SOURCE
#include <signal.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    sigset_t all;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "blocks signals", .run = run)
