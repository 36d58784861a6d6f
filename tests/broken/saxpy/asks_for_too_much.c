/* Allocates a size that is wrong because of an underflow, and does not check what malloc returns. */
/* expected: memory: ^asks for .* GiB more in prepare; .* GiB are allowed$ */
#include <stdlib.h>

#include "common/saxpy.h"
#include "common/variant.h"

static float *volatile scratch;

static void prepare(const void *problem)
{
    const struct saxpy *p = problem;

    scratch = malloc((p->n - 1) * sizeof *scratch); /* 2^64 - 4 bytes of none */
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        scratch[i] = p->z[i] = p->a * p->x[i] + p->y[i];
}

static void release(void)
{
    free(scratch);
}

VARIANT(.idea = "asks for too much memory", .prepare = prepare, .run = run, .release = release)
