/* Fills the socket to its parent with messages that are no replies. */
/* expect: harmless */
/* family: harm */
/* harm: words */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sys/socket.h>
#include <fcntl.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    char junk[64] = "";

    fcntl(3, F_SETFL, O_NONBLOCK);
    for (int i = 0; i < 1000; i++)
        if (send(3, junk, sizeof junk, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
            break;
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "fills the socket", .run = run)
