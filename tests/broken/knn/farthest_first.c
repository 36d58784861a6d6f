/* Returns the right neighbours with the right distances, but farthest first, in the order in which a
   heap returns them. */
/* expected: wrong: ^observation [0-9]+: neighbour 1 is nearer than the one before it$ */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static void run(const void *problem)
{
    const struct knn *p = problem;

    search(p, haversine);
    for (size_t i = 0; i < p->m * p->k; i++) {
        size_t first = i / p->k * p->k, other = first + p->k - 1 - i % p->k;
        uint32_t index = p->index[i];
        float distance = p->distance[i];

        if (i >= other)
            continue;
        p->index[i] = p->index[other];
        p->distance[i] = p->distance[other];
        p->index[other] = index;
        p->distance[other] = distance;
    }
}

VARIANT(.idea = "farthest first", .run = run)
