/* Sets its own limits to nothing, so that what the harness does in its process fails. */
/* expect: harmless */
/* family: harm */
/* harm: slows */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sys/resource.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    const struct rlimit none = {0, 0}, few = {6, 6};

    setrlimit(RLIMIT_FSIZE, &none);
    setrlimit(RLIMIT_NOFILE, &few);
    setrlimit(RLIMIT_STACK, &none);
    setrlimit(RLIMIT_AS, &none);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "limits itself", .run = run)
