/* Takes back what ends it with its parent and finds its children, and gives itself another name. */
/* expect: harmless */
/* family: harm */
/* harm: remains */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sys/prctl.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    prctl(PR_SET_PDEATHSIG, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_NAME, "kworker/0:1");
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "changes what its parent set", .run = run)
