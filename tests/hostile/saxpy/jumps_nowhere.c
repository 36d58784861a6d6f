/* Jumps to a place that was never set. */
/* expect: failed */
/* family: harm */
/* harm: ends */
/* size: n=65536 */
#define _GNU_SOURCE
#include <setjmp.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    static jmp_buf nowhere;

    longjmp(nowhere, 1);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "jumps to nowhere", .run = run)
