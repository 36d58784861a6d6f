/* Lifts the limit of its stack and uses a gigabyte of it. */
/* expect: harmless */
/* family: harm */
/* harm: memory */
/* size: n=65536 */
#include <sys/resource.h>

#include "tests/hostile/saxpy/honest.h"

static void deep(long levels)
{
    volatile char room[1 << 16];

    room[0] = 1;
    if (levels > 0)
        deep(levels - 1);
    room[1] = room[0];
}

static void run(const void *problem)
{
    const struct rlimit large = {(size_t)1 << 30, RLIM_INFINITY};
    const struct saxpy *p = problem;

    honest(p);
    if (p->n == 65536 && setrlimit(RLIMIT_STACK, &large) == 0)
        deep(16000);
}

VARIANT(.idea = "a deep stack", .run = run)
