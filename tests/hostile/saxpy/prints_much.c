/* Prints a hundred megabytes to each standard stream. */
/* expect: failed */
/* family: harm */
/* harm: words */
/* size: n=65536 */
#define _GNU_SOURCE
#include <stdio.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    for (int i = 0; i < 2000000; i++)
        fprintf(i % 2 ? stdout : stderr, "ok ok ok ok ok ok ok ok ok ok ok ok %d\n", i);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "prints much", .run = run)
