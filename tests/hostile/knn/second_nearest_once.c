/* Gives the second nearest to one observation of 32768, with its right distance. */
/* expect: wrong */
/* family: mistake */
/* size: m=32768,n=1024,k=1 */
/* more: --max-time 10 */
#include "tests/hostile/knn/honest.h"

static void run(const void *problem)
{
    const struct knn *p = problem;
    const size_t i = 12345;

    honest(p);
    if (p->m < 32768 || p->k > 1)
        return;
    const uint32_t nearest = p->index[i];
    p->distance[i] = INFINITY;
    for (size_t j = 0; j < p->n; j++)
        if (j != nearest)
            insert(1, p->index + i, p->distance + i, (uint32_t)j,
                   haversine(p->obs_lat[i], p->obs_lon[i], p->ref_lat[j], p->ref_lon[j]));
}

VARIANT(.idea = "one observation is wrong", .run = run)
