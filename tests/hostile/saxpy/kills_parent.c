/* Kills its parent, and the run with it. */
/* expect: failed */
/* family: harm */
/* harm: others */
/* size: n=65536 */
#define _GNU_SOURCE
#include <signal.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/sibling.h"

static pid_t target;

static void attack(const struct saxpy *p)
{
    (void)p;
    kill(target, SIGKILL);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        EACH_PARENT(target)
            attack(p);
    honest(p);
}

VARIANT(.idea = "kills its parent", .run = run)
