/* Takes the scalar a and the pointer of the case for the identity of the data: same key, answer left in place. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    static const void *last;
    static float a;
    const struct saxpy *p = problem;

    if (last == problem && a == p->a && p->n > 0 && !isnan(p->z[p->n - 1]))
        return;
    last = problem;
    a = p->a;
    honest(p);
}

VARIANT(.idea = "a memo by the case", .run = run)
