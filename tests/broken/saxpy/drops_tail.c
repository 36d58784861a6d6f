/* Computes eight elements at a time without a loop for the rest: right if n is a multiple of 8. */
/* expected: nan: ^z\[0\] is -?nan, expected */
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i + 8 <= p->n; i += 8)
        for (size_t lane = 0; lane < 8; lane++)
            p->z[i + lane] = p->a * p->x[i + lane] + p->y[i + lane];
}

VARIANT(.idea = "drops the tail", .run = run)
