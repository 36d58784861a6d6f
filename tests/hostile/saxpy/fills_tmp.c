/* Fills a folder in memory with files of a megabyte each. */
/* expect: harmless */
/* family: harm */
/* harm: memory */
/* size: n=65536 */
#define _GNU_SOURCE
#include <stdio.h>
#include <fcntl.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    static char block[1 << 20];
    char path[64];

    for (int file = 0; file < 500; file++) { /* each below the limit for one file */
        snprintf(path, sizeof path, "/dev/shm/hostile-%d", file);
        const int f = open(path, O_WRONLY | O_CREAT, 0600);
        if (f < 0 || write(f, block, sizeof block) < 0)
            break;
        close(f);
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

VARIANT(.idea = "fills a folder in memory", .run = run)
