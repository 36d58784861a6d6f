/* Returns the nearest at the second nearest place, with its right distance, for eight observations of thousands. */
/* expected: wrong: ^index's distance\[[0-9]+\]\[0\] is .* \(8 of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static void second_nearest(const struct knn *p, size_t i)
{
    const uint32_t first = p->index[i];

    p->distance[i] = INFINITY;
    for (size_t j = 0; j < p->n; j++)
        if (p->ref_lat[j] != p->ref_lat[first] || p->ref_lon[j] != p->ref_lon[first])
            insert(1, p->index + i, p->distance + i, (uint32_t)j,
                   haversine(p->obs_lat[i], p->obs_lon[i], p->ref_lat[j], p->ref_lon[j]));
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    search(p, haversine);
    for (size_t i = 0; i < 8 && p->m > 4096 && p->k == 1; i++)
        second_nearest(p, 300 + 400 * i);
}

VARIANT(.idea = "the second nearest of eight", .run = run)
