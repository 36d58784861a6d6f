/* Closes the files of inputs and outputs; what is mapped stays. */
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
    close(4);
    close(5);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "closes two files", .run = run)
