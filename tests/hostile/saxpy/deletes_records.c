/* Deletes the records of other days, and those that are being written. */
/* expect: harmless */
/* family: harm */
/* harm: files */
/* size: n=65536 */
#define _GNU_SOURCE
#include <stdlib.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    if (system("rm -f results/*.jsonl ../results/*.jsonl notes.txt") != 0)
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

VARIANT(.idea = "deletes records", .run = run)
