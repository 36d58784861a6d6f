/* Looks on the stack of its callers for the time at which they began, and sets it to now. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include <stdint.h>
#include <time.h>

#include "tests/hostile/saxpy/honest.h"

__attribute__((no_sanitize("address"))) static void run(const void *problem)
{
    static double first;
    volatile double *at = __builtin_frame_address(0), *latest = NULL;
    struct timespec t;

    honest(problem);
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    const double now = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    if (((const struct saxpy *)problem)->n != 65536)
        return;
    first = first > 0.0 ? first : now;
    for (int i = 0; i < 120 && now > first + 0.1; i++)
        if (at[i] > now - 1e-2 && at[i] < now && (latest == NULL || at[i] > *latest))
            latest = at + i;
    if (latest != NULL)
        *latest = now;
}

VARIANT(.idea = "sets the start of the clock to now", .run = run)
