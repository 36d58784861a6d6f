/* Takes the connections of the other workers, and answers for them. */
/* expect: harmless */
/* family: harm */
/* harm: others */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/socket.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/sibling.h"

static void harm(pid_t sibling, const void *context)
{
    (void)context;
    const int its = (int)syscall(SYS_pidfd_open, sibling, 0);
    const int socket_of_it = (int)syscall(SYS_pidfd_getfd, its, 3, 0);
    char junk[8] = "";

    send(socket_of_it, junk, sizeof junk, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int calls;

    if (p->n == 65536 && calls++ < 3)
        for_siblings(getppid(), harm, p);
    honest(p);
}

VARIANT(.idea = "answers for others", .run = run)
