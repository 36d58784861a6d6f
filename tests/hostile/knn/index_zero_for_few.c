/* Answers two observations of 32768 with reference 0, with its right distance: that only shows if they are sampled. */
/* expect: wrong */
/* family: foresees */
/* size: m=32768,n=1024,k=1 */
/* more: --max-time 10 */
#include "tests/hostile/knn/honest.h"

static void run(const void *problem)
{
    const struct knn *p = problem;

    honest(p);
    for (size_t i = 900; i < p->m && p->m >= 32768; i += 16384)
        for (size_t r = 0; r < p->k; r++) {
            p->index[i * p->k + r] = (uint32_t)r;
            p->distance[i * p->k + r] =
                haversine(p->obs_lat[i], p->obs_lon[i], p->ref_lat[r], p->ref_lon[r]);
        }
}

VARIANT(.idea = "two of 32768 are wrong", .run = run)
