/* Computes only when an element at a random place holds poison, so that poison at fixed places is no help. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    static unsigned long state = 88172645463325252ul;
    const struct saxpy *p = problem;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    if (p->n > 0 && !isnan(p->z[state % p->n]))
        return;
    honest(p);
}

VARIANT(.idea = "computes when it is looked at, anywhere", .run = run)
