/* Gives the other workers the lowest priority. */
/* expect: harmless */
/* family: harm */
/* harm: slows */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/resource.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/sibling.h"

static void harm(pid_t sibling, const void *context)
{
    (void)context;
    const struct sched_param lowest = {0};

    setpriority(PRIO_PROCESS, (id_t)sibling, 19);
    sched_setscheduler(sibling, SCHED_IDLE, &lowest);
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int calls;

    if (p->n == 65536 && calls++ < 3)
        for_siblings(getppid(), harm, p);
    honest(p);
}

VARIANT(.idea = "idles its siblings", .run = run)
