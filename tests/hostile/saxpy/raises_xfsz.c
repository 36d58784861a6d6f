/* Raises the signal of a file that is too long. */
/* expect: failed */
/* family: harm */
/* harm: ends */
/* size: n=65536 */
#define _GNU_SOURCE
#include <signal.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    raise(SIGXFSZ);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "a signal for large files", .run = run)
