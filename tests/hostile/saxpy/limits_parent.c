/* Sets limits for its parent: no file more, and no byte more in any file. */
/* expect: harmless */
/* family: harm */
/* harm: slows */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sys/resource.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/sibling.h"

static pid_t target;

static void attack(const struct saxpy *p)
{
    (void)p;
    const struct rlimit none = {0, 0}, one = {1, 1};

    prlimit(target, RLIMIT_NOFILE, &none, NULL);
    prlimit(target, RLIMIT_FSIZE, &one, NULL);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        EACH_PARENT(target)
            attack(p);
    honest(p);
}

VARIANT(.idea = "limits its parent", .run = run)
