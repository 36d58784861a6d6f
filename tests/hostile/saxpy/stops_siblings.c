/* Leaves a process that stops the other workers while they are timed. */
/* expect: harmless */
/* family: harm */
/* harm: others */
/* size: n=65536 */
#define _GNU_SOURCE
#include <signal.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/sibling.h"

static void harm(pid_t sibling, const void *context)
{
    (void)context;
    if (fork() == 0) { /* later, while they are timed */
        setsid();
        for (int turn = 0; turn < 20000; turn++, usleep(100))
            kill(sibling, SIGSTOP);
        _exit(0);
    }
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int calls;

    if (p->n == 65536 && calls++ < 3)
        for_siblings(getppid(), harm, p);
    honest(p);
}

VARIANT(.idea = "stops its siblings", .run = run)
