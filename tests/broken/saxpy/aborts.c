/* Has an assertion that fails for odd sizes. */
/* expected: crash: ^abort in run: .*Assertion */
#undef NDEBUG
#include <assert.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    assert(p->n % 2 == 0);
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "aborts", .run = run)
