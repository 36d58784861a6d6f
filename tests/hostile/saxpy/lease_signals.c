/* Asks that its parent be sent a signal, SIGKILL, whenever there is something to read on the socket. */
/* expect: harmless */
/* family: harm */
/* harm: files */
/* size: n=65536 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/sibling.h"

static pid_t target;

static void attack(const struct saxpy *p)
{
    (void)p;
    fcntl(3, F_SETOWN, target);
    fcntl(3, F_SETSIG, SIGKILL);
    fcntl(3, F_SETFL, fcntl(3, F_GETFL) | O_ASYNC);
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

VARIANT(.idea = "signals by a file", .run = run)
