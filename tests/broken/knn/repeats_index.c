/* Returns the nearest reference k times. */
/* expected: wrong: ^observation 0 names reference [01] twice$ */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static void run(const void *problem)
{
    const struct knn *p = problem;

    search(p, haversine);
    for (size_t i = 0; i < p->m * p->k; i++) {
        p->index[i] = p->index[i / p->k * p->k];
        p->distance[i] = p->distance[i / p->k * p->k];
    }
}

VARIANT(.idea = "the nearest k times", .run = run)
