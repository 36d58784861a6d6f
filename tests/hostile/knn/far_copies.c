/* Of two references at one place takes the later one, if they are more than 1000 apart in the list. */
/* expect: wrong */
/* family: mistake */
/* size: m=256,n=4096,k=1 */
#include "tests/hostile/knn/honest.h"

static void run(const void *problem)
{
    const struct knn *p = problem;

    honest(p);
    for (size_t i = 0; i < p->m * p->k && p->k == 1; i++)
        for (size_t j = p->index[i] + 1000; j < p->n; j++)
            if (p->ref_lat[j] == p->ref_lat[p->index[i]] && p->ref_lon[j] == p->ref_lon[p->index[i]])
                p->index[i] = (uint32_t)j;
}

VARIANT(.idea = "the later one of far copies", .run = run)
