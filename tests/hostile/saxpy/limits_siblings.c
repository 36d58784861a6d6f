/* Limits the processor time of the other workers to nothing. */
/* expect: harmless */
/* family: harm */
/* harm: slows */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sys/resource.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/sibling.h"

static void harm(pid_t sibling, const void *context)
{
    (void)context;
    const struct rlimit none = {0, 0};

    prlimit(sibling, RLIMIT_CPU, &none, NULL);
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int calls;

    if (p->n == 65536 && calls++ < 3)
        for_siblings(getppid(), harm, p);
    honest(p);
}

VARIANT(.idea = "limits its siblings", .run = run)
