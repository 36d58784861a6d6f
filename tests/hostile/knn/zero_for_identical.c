/* Says distance 0 wherever it is less than 1e-6: near copies are no copies. */
/* expect: wrong */
/* family: mistake */
/* size: m=256,n=1024,k=1 */
#include "tests/hostile/knn/honest.h"

static void run(const void *problem)
{
    const struct knn *p = problem;

    honest(p);
    for (size_t i = 0; i < p->m * p->k; i++)
        if (p->distance[i] < 1e-6f)
            p->distance[i] = 0.0f;
}

VARIANT(.idea = "near is 0", .run = run)
