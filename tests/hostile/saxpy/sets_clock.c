/* Tries to set the clocks of the machine back in every call. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>

#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    struct timespec t = {1, 0};
    struct timex slow = {.modes = ADJ_FREQUENCY | ADJ_TICK, .tick = 9000, .freq = -32768000};

    clock_settime(CLOCK_MONOTONIC, &t); /* of the wall clock: only if that cannot succeed */
    adjtimex(&slow);
    honest(problem);
}

VARIANT(.idea = "sets the clocks", .run = run)
