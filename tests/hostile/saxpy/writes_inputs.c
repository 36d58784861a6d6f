/* Opens the inputs again for writing, and changes one number for all. */
/* expect: harmless */
/* family: harm */
/* harm: data */
/* size: n=65536 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/case_files.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    const int file = open("/proc/self/fd/4", O_RDWR);
    const float other = NAN;

    if (pwrite(file, &other, sizeof other, (const char *)(p->x + 9) - (const char *)0x7e8000000000) < 0)
        return;
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && ++done == 5)
        attack(p);
    honest(p);
}

VARIANT(.idea = "changes an input by its file", .run = run)
