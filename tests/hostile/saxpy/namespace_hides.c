/* Leaves a process in a namespace of its own. */
/* expect: harmless */
/* family: harm */
/* harm: files */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(void)
{
    if (fork() == 0) {
        if (unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0)
            setsid();
        if (fork() == 0)
            sleep(600);
        _exit(0);
    }
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack();
    honest(p);
}

VARIANT(.idea = "hides in a namespace", .run = run)
