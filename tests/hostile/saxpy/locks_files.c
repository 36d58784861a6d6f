/* Locks all files that it shares with its parent. */
/* expect: harmless */
/* family: harm */
/* harm: files */
/* size: n=65536 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/file.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/case_files.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    struct flock all = {.l_type = F_WRLCK};

    flock(3, LOCK_EX);
    flock(4, LOCK_EX);
    flock(5, LOCK_EX);
    fcntl(5, F_SETLKW, &all);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "locks the files", .run = run)
