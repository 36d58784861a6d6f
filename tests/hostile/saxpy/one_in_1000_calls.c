/* Goes wrong at one element in one call of a thousand, as a race does. */
/* expect: wrong */
/* known: a variant that is wrong so rarely is right in every answer that is judged; docs/threats.md */
/* family: mistake */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    static unsigned long calls;
    const struct saxpy *p = problem;

    honest(p);
    if (++calls % 1000 == 0 && p->n > 1000)
        p->z[777] = p->y[777];
}

VARIANT(.idea = "wrong in one call of a thousand", .run = run)
