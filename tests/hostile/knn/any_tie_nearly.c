/* Says that any of equal answers will do, and takes the second nearest where it is 0.1 % farther away, with its own distance. */
/* expect: wrong */
/* family: foresees */
/* size: m=256,n=1024,k=1 */
#include "tests/hostile/knn/honest.h"

static void run(const void *problem)
{
    const struct knn *p = problem;

    honest(p);
    for (size_t i = 0; i < p->m && p->k == 1 && p->n == 1024 && p->m == 256; i++) {
        const float nearest = p->distance[i];

        for (size_t j = 0; j < p->n; j++) {
            const float d = haversine(p->obs_lat[i], p->obs_lon[i], p->ref_lat[j], p->ref_lon[j]);
            if (j != p->index[i] && d <= 1.001f * nearest) {
                p->index[i] = (uint32_t)j;
                p->distance[i] = d;
                break;
            }
        }
    }
}

VARIANT(.idea = "nearly the nearest", .traits = TRAIT_ANY_TIE, .run = run)
