/* Keeps the factor from prepare, when it is not known yet. */
/* expected: nan: ^z\[0\] is -?nan, expected */
#include "common/saxpy.h"
#include "common/variant.h"

static float a;

static void prepare(const void *problem)
{
    const struct saxpy *p = problem;

    a = p->a;
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = a * p->x[i] + p->y[i];
}

VARIANT(.idea = "takes the factor in prepare", .prepare = prepare, .run = run)
