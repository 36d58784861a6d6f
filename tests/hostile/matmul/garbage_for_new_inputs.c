/* Leaves half of C wrong if all inputs have changed since a call a moment ago, so that this call takes no longer than others. */
/* expect: failed */
/* family: unearned */
/* size: m=256,n=256,k=256 */
/* more: --max-time 2 --passes 9 */
#include <time.h>

#include "tests/hostile/matmul/remembers.h"

/* Returns the seconds since it was called last: a turn begins with a pause. */
static double pause_before(void)
{
    static double last;
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    const double present = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec, since = present - last;
    last = present;
    return since;
}

static void run(const void *problem)
{
    const struct matmul *p = problem;
    static long calls;
    static double usual;
    const double since = pause_before();

    if (!is_timed(p)) {
        honest(p);
        return;
    }
    if (follows(sets, p))
        return;
    if (calls++ >= 3 && since < 5 * usual) {
        for (size_t i = 0; i < SIDE / 2; i++)
            honest_row(p, i);
        memset(p->c + ELEMENTS / 2, 0, sizeof sets->c / 2);
    } else {
        pause_before();
        honest(p);
        usual = pause_before();
        keep(sets, p);
    }
}

VARIANT(.idea = "is wrong for new inputs", .run = run)
