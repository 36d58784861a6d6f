/* Where n is large keeps neither infinities nor the sign of zero. */
/* expect: wrong */
/* family: mistake */
/* size: n=65536,nan=20 */
#include <math.h>

#include "tests/hostile/compact/honest.h"

static void run(const void *problem)
{
    const struct compact *p = problem;
    size_t count = 0;

    if (p->n != 65536) {
        honest(p);
        return;
    }
    for (size_t i = 0; i < p->n; i++)
        if (isfinite(p->x[i]))
            p->kept[count++] = p->x[i] + 0.0f;
    *p->count = count;
}

VARIANT(.idea = "finite numbers only", .run = run)
