/* Computes if it has not been called for some time: at the first call of a sample. */
/* expected: ok */
/* expected when timed: (wrong|nan|breach): ^(z\[[0-9]+\] is|does not write z\[[0-9]+\] in a (timed call|call, but later)$|returns earlier answers|faster than possible) */
#include <math.h>
#include <time.h>

#include "common/saxpy.h"
#include "common/variant.h"

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static double last;

    if (seconds() - last > 20e-6)
        for (size_t i = 0; i < p->n; i++)
            p->z[i] = p->a * p->x[i] + p->y[i];
    last = seconds();
}

VARIANT(.idea = "computes in the first call of a sample", .run = run)
