/* A tile of 16 x 16 misses one product in each of its elements, where C is large. */
/* expect: wrong */
/* family: mistake */
/* size: m=1024,n=1024,k=64 */
#include "tests/hostile/matmul/honest.h"

static void run(const void *problem)
{
    const struct matmul *p = problem;

    honest(p);
    if (p->m < 1024 || p->n < 1024)
        return;
    for (size_t i = 512; i < 528; i++)
        for (size_t j = 768; j < 784; j++)
            p->c[i * p->n + j] -= p->a[i * p->k + p->k - 1] * p->b[(p->k - 1) * p->n + j];
}

VARIANT(.idea = "a tile misses a product", .run = run)
