/* Makes the file of its outputs a terabyte long. */
/* expect: harmless */
/* family: harm */
/* harm: data */
/* size: n=65536 */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/case_files.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    if (ftruncate(5, (off_t)1 << 40) != 0)
        return;
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "a very long output", .run = run)
