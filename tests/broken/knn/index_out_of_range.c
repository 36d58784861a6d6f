/* Fills its list with an index that means none, although there are enough references. */
/* expected: wrong: ^observation 0 names reference 4294967295, of 2$ */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static void run(const void *problem)
{
    const struct knn *p = problem;

    search(p, haversine);
    for (size_t i = 0; i < p->m * p->k; i++)
        if (i % p->k > 0)
            p->index[i] = UINT32_MAX;
}

VARIANT(.idea = "an index that means none", .run = run)
