/* Calls itself until the stack is used up. */
/* expect: crash */
/* family: harm */
/* harm: memory */
/* size: n=65536 */
#define _GNU_SOURCE
#include <stdlib.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    volatile char room[8192];
    static void (*volatile again)(const struct saxpy *);

    again = attack;

    room[0] = 1;
    again(p);
    room[1] = room[0];
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "no end of calls", .run = run)
