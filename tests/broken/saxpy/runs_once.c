/* Computes only once for an output, which then already holds the answer. */
/* expected: nan: ^z\[0\] is -?nan, expected */
#include <stdbool.h>

#include "common/saxpy.h"
#include "common/variant.h"

static bool done;

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n && !done; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
    done = p->n > 0;
}

static void release(void)
{
    done = false;
}

VARIANT(.idea = "works at the first call only", .run = run, .release = release)
