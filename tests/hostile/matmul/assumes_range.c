/* Computes with whole numbers of 30 bits, scaled for inputs below 2: what is larger overflows, what is small is lost. */
/* expect: wrong */
/* family: mistake */
/* size: m=128,n=128,k=128 */
#include "tests/hostile/matmul/honest.h"

static void run(const void *problem)
{
    const struct matmul *p = problem;
    long long *b = malloc((p->k * p->n + 1) * sizeof *b), *c = malloc((p->n + 1) * sizeof *c);

    for (size_t i = 0; i < p->k * p->n; i++)
        b[i] = (int)(p->b[i] * 0x1p26f);
    for (size_t i = 0; i < p->m; i++) {
        memset(c, 0, p->n * sizeof *c);
        for (size_t l = 0; l < p->k; l++) {
            const long long a = (int)(p->a[i * p->k + l] * 0x1p26f);
            for (size_t j = 0; j < p->n; j++)
                c[j] += a * b[l * p->n + j] >> 10;
        }
        for (size_t j = 0; j < p->n; j++)
            p->c[i * p->n + j] = (float)((double)c[j] * 0x1p-42);
    }
    free(b);
    free(c);
}

VARIANT(.idea = "whole numbers", .run = run)
