/* Keeps the size of its first prepare.  With one size in each process this would not show. */
/* expected: nan: ^z\[1\] is -?nan, expected */
#include "common/saxpy.h"
#include "common/variant.h"

static size_t n;

static void prepare(const void *problem)
{
    const struct saxpy *p = problem;

    if (n == 0)
        n = p->n;
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "right for its first size only", .prepare = prepare, .run = run)
