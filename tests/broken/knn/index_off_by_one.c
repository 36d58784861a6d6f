/* Counts references from one, as Fortran and Matlab do.  The distances are right. */
/* expected: wrong: ^observation 0 names reference 1, of 1$ */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static void run(const void *problem)
{
    const struct knn *p = problem;

    search(p, haversine);
    for (size_t i = 0; i < p->m * p->k; i++)
        p->index[i]++;
}

VARIANT(.idea = "indices from one", .run = run)
