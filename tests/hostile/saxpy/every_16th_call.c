/* Computes in one call of sixteen only; another one that finds poison computes, too. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    static unsigned long calls;
    const struct saxpy *p = problem;

    if (calls++ % 16 != 0 && p->n > 0 && !isnan(p->z[p->n / 2]))
        return;
    honest(p);
}

VARIANT(.idea = "every sixteenth call works", .run = run)
