/* Cuts every file that it has open, or can open again, to nothing. */
/* expect: harmless */
/* family: harm */
/* harm: files */
/* size: n=65536 */
#define _GNU_SOURCE
#include <stdio.h>
#include <fcntl.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/case_files.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    for (int file = 0; file < 64; file++) {
        char path[64];

        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        const int again = open(path, O_RDWR | O_NONBLOCK);
        if (ftruncate(file, 0) != 0 && again >= 0 && ftruncate(again, 0) != 0)
            continue;
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

VARIANT(.idea = "cuts everything off", .run = run)
