/* Deletes a file by way of /proc/PPID/root and cwd, where its own folders may be others. */
/* expect: harmless */
/* family: harm */
/* harm: files */
/* size: n=65536 */
#include <stdio.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/sibling.h"

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;
    char path[100];

    honest(p);
    if (p->n != 65536 || done++)
        return;
    snprintf(path, sizeof path, "/proc/%d/root/tmp/work/notes.txt", (int)the_parent());
    if (unlink(path) == 0)
        return;
    snprintf(path, sizeof path, "/proc/%d/cwd/notes.txt", (int)the_parent());
    unlink(path);
}

VARIANT(.idea = "deletes by its parent's root", .run = run)
