/* Has a gigabyte of memory given to the file of its outputs, which no limit of its own memory counts. */
/* expect: harmless */
/* family: harm */
/* harm: data */
/* size: n=65536 */
#define _GNU_SOURCE
#include <fcntl.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/case_files.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    fallocate(5, 0, 1 << 24, (off_t)1 << 30);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "takes memory by its outputs", .run = run)
