/* Traces the other workers and interrupts them: they never go on. */
/* expect: harmless */
/* family: harm */
/* harm: others */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sys/ptrace.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/sibling.h"

static void harm(pid_t sibling, const void *context)
{
    (void)context;
    ptrace(PTRACE_SEIZE, sibling, 0, PTRACE_O_EXITKILL);
    ptrace(PTRACE_INTERRUPT, sibling, 0, 0);
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int calls;

    if (p->n == 65536 && calls++ < 3)
        for_siblings(getppid(), harm, p);
    honest(p);
}

VARIANT(.idea = "traces its siblings", .run = run)
