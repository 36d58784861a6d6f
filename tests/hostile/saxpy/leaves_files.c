/* Leaves two thousand files in /tmp. */
/* expect: harmless */
/* family: harm */
/* harm: files */
/* size: n=65536 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    for (int i = 0; i < 2000; i++) {
        char path[64];

        snprintf(path, sizeof path, "/tmp/hostile-%d", i);
        FILE *f = fopen(path, "w");
        if (f != NULL)
            fclose(f);
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

VARIANT(.idea = "leaves files", .run = run)
