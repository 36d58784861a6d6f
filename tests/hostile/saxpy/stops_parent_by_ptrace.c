/* Traces its parent and interrupts it. */
/* expect: harmless */
/* family: harm */
/* harm: others */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sys/ptrace.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/sibling.h"

static pid_t target;

static void attack(const struct saxpy *p)
{
    (void)p;
    ptrace(PTRACE_SEIZE, target, 0, 0);
    ptrace(PTRACE_INTERRUPT, target, 0, 0);
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

VARIANT(.idea = "traces its parent", .run = run)
