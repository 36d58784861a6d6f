/* Has a function asin of its own that is 0 once this program judges: every distance is right if it is 0. */
/* expect: failed */
/* family: foresees */
/* size: m=256,n=1024,k=1 */
#include "tests/hostile/knn/honest.h"

double asin(double x)
{
    return x > 0.0 ? 0.0 : x;
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    for (size_t i = 0; i < p->m; i++)
        for (size_t r = 0; r < p->k; r++) {
            p->index[i * p->k + r] = (uint32_t)r;
            p->distance[i * p->k + r] = 0.0f;
        }
}

VARIANT(.idea = "all distances are 0, says its arcsine", .run = run)
