/* Asks for a core dump and aborts. */
/* expect: harmless */
/* family: harm */
/* harm: files */
/* size: n=65536 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <stdlib.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    const struct rlimit large = {RLIM_INFINITY, RLIM_INFINITY};

    prctl(PR_SET_DUMPABLE, 1);
    setrlimit(RLIMIT_CORE, &large);
    signal(SIGABRT, SIG_DFL);
    abort();
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "leaves a core", .run = run)
