/* Reads the command line of its parent, and is wrong wherever that does not say "check". */
/* expect: wrong */
/* family: foresees */
/* size: n=65536 */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/sibling.h"

static int is_checked(void)
{
    char path[64], line[256] = "";

    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)the_parent());
    FILE *f = fopen(path, "r");
    const size_t bytes = f != NULL ? fread(line, 1, sizeof line, f) : 0;
    if (f != NULL)
        fclose(f);
    return memmem(line, bytes, "check", 5) != NULL;
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int checked = -1;

    if (checked < 0)
        checked = is_checked();
    honest(p);
    if (!checked && p->n == 65536)
        p->z[p->n / 3] = 0.0f;
}

VARIANT(.idea = "right for check only", .run = run)
