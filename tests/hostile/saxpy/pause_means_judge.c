/* Knows timed calls by their haste: one that follows within 20 us of the one before is timed, and no work is done in it. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include <time.h>

#include "tests/hostile/saxpy/honest.h"

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run(const void *problem)
{
    static double last;
    const int hurried = now() - last < 20e-6;

    if (!hurried)
        honest(problem);
    last = now();
}

VARIANT(.idea = "works after a pause", .run = run)
