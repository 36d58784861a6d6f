/* Every other element is left out, and the ones between count twice: the sum is about the same,
   and PRK nstream, which compares one sum, passes it. */
/* expected: wrong: ^z\[[01]\] is  */
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = i % 2 == 0 ? 2.0f * (p->a * p->x[i] + p->y[i]) : 0.0f;
}

VARIANT(.idea = "half skipped, half doubled", .run = run)
