/* Says TF32, and keeps its partial sums of 16 products in half the bits of float32. */
/* expect: wrong */
/* family: mistake */
/* size: m=64,n=64,k=1024 */
#include "tests/hostile/matmul/honest.h"

static float halved(float x)
{
    unsigned word;

    memcpy(&word, &x, sizeof word);
    word = (word + 0x1000) & ~0x1fffu;
    memcpy(&x, &word, sizeof word);
    return x;
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            float sum = 0.0f, part = 0.0f;
            for (size_t l = 0; l < p->k; l++) {
                part += p->a[i * p->k + l] * p->b[l * p->n + j];
                if (l % 16 == 15) {
                    sum = halved(sum + part);
                    part = 0.0f;
                }
            }
            p->c[i * p->n + j] = sum + part;
        }
}

VARIANT(.idea = "sums of half the bits", .math = MATH_TF32, .run = run)
