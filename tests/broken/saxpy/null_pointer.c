/* Uses scratch memory that prepare should have allocated and did not. */
/* expected: crash: ^segmentation fault in run at address 0, null_pointer\.c:[0-9]+$ */
#include "common/saxpy.h"
#include "common/variant.h"

static float *volatile scratch;

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        scratch[i] = p->a * p->x[i];
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = scratch[i] + p->y[i];
}

VARIANT(.idea = "writes to a null pointer", .run = run)
