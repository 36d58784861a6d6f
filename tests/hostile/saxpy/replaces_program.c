/* Deletes the program that it runs in, and puts another in its place. */
/* expect: harmless */
/* family: harm */
/* harm: ends */
/* size: n=65536 */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    static int done;
    char path[300];

    honest(problem);
    const ssize_t length = done++ ? 0 : readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return;
    path[length] = '\0';
    if (unlink(path) != 0)
        return;
    FILE *f = fopen(path, "w");
    if (f == NULL)
        return;
    fputs("#!/bin/sh\necho ok\n", f);
    fclose(f);
    chmod(path, 0755);
}

VARIANT(.idea = "replaces the program", .run = run)
