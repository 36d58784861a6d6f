/* Refuses later what it has taken, when it notices that it is timed: a row without a fault and without a time. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static int calls;

static const char *refuse(const void *problem)
{
    (void)problem;
    return calls > 100 ? "not today" : NULL;
}

static void run(const void *problem)
{
    calls++;
    honest(problem);
}

VARIANT(.idea = "refuses when it is timed", .refuse = refuse, .run = run)
