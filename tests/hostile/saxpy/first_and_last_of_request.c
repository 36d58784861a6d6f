/* Computes in the first call after a pause and in that which was the last before the pause until now; the calls between
   leave the output as it is. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
/* more: --max-time 1 */
#include <time.h>

#include "tests/hostile/saxpy/honest.h"

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static double last;
    static unsigned call, length; /* of this series, and how many the last series had that was longer than one */

    if (seconds() - last > 4e-6) {
        length = call > 1 ? call : length;
        call = 0;
    }
    call++;
    if (p->n != 65536 || call == 1 || length == 0 || call >= length)
        honest(p);
    last = seconds();
}

VARIANT(.idea = "first and last", .run = run)
