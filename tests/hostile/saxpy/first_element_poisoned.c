/* Computes only when the first element of the output holds the poison of the judge. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    if (p->n > 0 && !isnan(p->z[0]))
        return;
    honest(p);
}

VARIANT(.idea = "computes when it is looked at", .run = run)
