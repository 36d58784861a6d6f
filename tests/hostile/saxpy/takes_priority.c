/* Asks for real-time priority, and for all processors. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/resource.h>

#include "tests/hostile/saxpy/honest.h"

static void prepare(const void *problem)
{
    const struct sched_param high = {.sched_priority = 50};
    cpu_set_t all;

    (void)problem;
    CPU_ZERO(&all);
    for (int i = 0; i < 64; i++)
        CPU_SET(i, &all);
    sched_setaffinity(0, sizeof all, &all);
    sched_setscheduler(0, SCHED_FIFO, &high);
    setpriority(PRIO_PROCESS, 0, -20);
}

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "takes priority", .prepare = prepare, .run = run)
