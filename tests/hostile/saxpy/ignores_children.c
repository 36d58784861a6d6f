/* Ignores SIGCHLD, so that no child of its is ever found by waiting, and leaves one. */
/* expect: harmless */
/* family: harm */
/* harm: remains */
/* size: n=65536 */
#include <signal.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int done;

    signal(SIGCHLD, SIG_IGN);
    honest(p);
    if (p->n == 65536 && !done++ && fork() == 0) {
        sleep(600);
        _exit(0);
    }
}

VARIANT(.idea = "ignores its children", .run = run)
