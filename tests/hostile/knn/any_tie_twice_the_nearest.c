/* Says that any of equal answers will do, and gives the nearest reference k times. */
/* expect: wrong */
/* family: foresees */
/* size: m=256,n=1024,k=2 */
#include "tests/hostile/knn/honest.h"

static void run(const void *problem)
{
    const struct knn *p = problem;

    honest(p);
    for (size_t i = 0; i < p->m && p->n == 1024; i++)
        for (size_t j = 1; j < p->k; j++) {
            p->index[i * p->k + j] = p->index[i * p->k];
            p->distance[i * p->k + j] = p->distance[i * p->k];
        }
}

VARIANT(.idea = "the nearest, k times", .traits = TRAIT_ANY_TIE, .run = run)
