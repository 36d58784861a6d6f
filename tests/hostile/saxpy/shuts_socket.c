/* Shuts the connection to its parent and goes on. */
/* expect: failed */
/* family: harm */
/* harm: words */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sys/socket.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    shutdown(3, SHUT_RDWR);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "shuts the connection", .run = run)
