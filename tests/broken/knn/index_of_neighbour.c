/* Returns the right distance with the index of the reference beside it.  A judge of distances alone
   would accept it. */
/* expected: wrong: ^distance\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static void run(const void *problem)
{
    const struct knn *p = problem;

    search(p, haversine);
    for (size_t i = 0; i < p->m * p->k; i++)
        p->index[i] = (uint32_t)((p->index[i] + 1) % p->n);
}

VARIANT(.idea = "index off by one, distance right", .run = run)
