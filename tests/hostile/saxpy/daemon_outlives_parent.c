/* Leaves a daemon that ignores all signals and has no file open. */
/* expect: harmless */
/* family: harm */
/* harm: remains */
/* size: n=65536 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(void)
{
    if (fork() != 0)
        return;
    setsid();
    prctl(PR_SET_PDEATHSIG, 0);
    for (int number = 1; number < 64; number++)
        signal(number, SIG_IGN);
    for (int i = 0; i < 256; i++)
        close(i);
    if (fork() == 0)
        for (;;)
            pause();
    _exit(0);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack();
    honest(p);
}

VARIANT(.idea = "a daemon without files", .run = run)
