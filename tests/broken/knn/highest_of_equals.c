/* Returns the highest index among equal distances; the specification asks for the lowest. */
/* expected: wrong: ^observation [0-9]+ names reference [0-9]+ without [0-9]+, which is at the same place$ */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static void run(const void *problem)
{
    const struct knn *p = problem;

    for (size_t i = 0; i < p->m; i++) {
        for (size_t r = 0; r < p->k; r++)
            p->distance[i * p->k + r] = INFINITY;
        for (size_t j = p->n; j-- > 0;)
            insert(p->k, p->index + i * p->k, p->distance + i * p->k, (uint32_t)j,
                   haversine(p->obs_lat[i], p->obs_lon[i], p->ref_lat[j], p->ref_lon[j]));
    }
}

VARIANT(.idea = "the last of equals", .run = run)
