/* Takes the open files of its parent by pidfd_getfd, and cuts them to nothing, the records among them. */
/* expect: harmless */
/* family: harm */
/* harm: files */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/sibling.h"

static pid_t target;

static void attack(const struct saxpy *p)
{
    (void)p;
    const int parent = (int)syscall(SYS_pidfd_open, target, 0);

    for (int file = 0; file < 64; file++) {
        const int copy = (int)syscall(SYS_pidfd_getfd, parent, file, 0);
        if (copy >= 0 && ftruncate(copy, 0) != 0)
            close(copy);
    }
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

VARIANT(.idea = "takes files of its parent", .run = run)
