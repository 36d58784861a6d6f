/* Raises SIGFPE. */
/* expect: crash: .*run */
/* family: harm */
/* harm: ends */
/* size: n=65536 */
#define _GNU_SOURCE
#include <signal.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    raise(SIGFPE);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "an arithmetic exception", .run = run)
