/* Returns one element that is off by 0.2.  Averages and norms of the error hide it. */
/* expected: wrong: ^z\[52364\] is .* \(1 of 104729 wrong\)$ */
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
    if (p->n > 100000)
        p->z[p->n / 2] += 0.2f;
}

VARIANT(.idea = "one element is off by 0.2", .run = run)
