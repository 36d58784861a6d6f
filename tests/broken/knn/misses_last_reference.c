/* Ignores the last reference, unless it is the only one. */
/* expected: wrong: ^index's distance\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static void run(const void *problem)
{
    const struct knn *p = problem;

    struct knn fewer = *p;

    fewer.n -= p->n > p->k;
    search(&fewer, haversine);
}

VARIANT(.idea = "misses the last reference", .run = run)
