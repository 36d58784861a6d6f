/* Joins the group of its parent and ends that. */
/* expect: failed */
/* family: harm */
/* harm: remains */
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
    setpgid(0, getpgid(target));
    kill(0, SIGTERM);
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

VARIANT(.idea = "ends the group of its parent", .run = run)
