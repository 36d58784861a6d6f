/* Opens the standard output of its parent by /proc or as a copy, and prints rows into the table. */
/* expect: harmless */
/* family: harm */
/* harm: words */
/* size: n=65536 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <fcntl.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/sibling.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    char path[64];

    for (int file = 1; file < 3; file++) {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)the_parent(), file);
        int out = open(path, O_WRONLY | O_APPEND);
        if (out < 0)
            out = (int)syscall(SYS_pidfd_getfd, (int)syscall(SYS_pidfd_open, the_parent(), 0), file, 0);
        for (int i = 0; i < 5000 && out >= 0; i++)
            dprintf(out, "saxpy/winner   ok   0.00   1 ns\n");
    }
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "prints for its parent", .run = run)
