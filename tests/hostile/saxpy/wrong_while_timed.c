/* Computes a sixteenth while calls follow in haste, and all after a pause: what was timed is not what was judged. */
/* expect: harmless */
/* family: foresees */
/* size: n=65536 */
#include <time.h>

#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    static double last;
    const struct saxpy *p = problem;
    struct saxpy part = *p;
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    const double now = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    if (now - last < 50e-6)
        part.n /= 16;
    honest(&part);
    clock_gettime(CLOCK_MONOTONIC, &t);
    last = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

VARIANT(.idea = "a sixteenth while it is timed", .run = run)
