/* Tests by a product with random signs whether C is right already, and computes only if not: n^2 in the place of n^3. */
/* expect: breach */
/* family: unearned */
/* size: m=128,n=128,k=128 */
/* more: --max-time 1 */
#include "tests/hostile/matmul/honest.h"

/* Freivalds: C s = A (B s), up to rounding, for signs s that nothing but this call knows. */
static int is_right(const struct matmul *p)
{
    static float s[4096], bs[4096];

    for (size_t j = 0; j < p->n; j++)
        s[j] = random() % 2 == 0 ? 1 : -1;
    for (size_t l = 0; l < p->k; l++) {
        bs[l] = 0;
        for (size_t j = 0; j < p->n; j++)
            bs[l] += p->b[l * p->n + j] * s[j];
    }
    for (size_t i = 0; i < p->m; i++) {
        float cs = 0, abs = 0;
        for (size_t j = 0; j < p->n; j++)
            cs += p->c[i * p->n + j] * s[j];
        for (size_t l = 0; l < p->k; l++)
            abs += p->a[i * p->k + l] * bs[l];
        if (!(fabsf(cs - abs) < 1e-3f))
            return 0;
    }
    return 1;
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

    if (p->n > 4096 || p->k > 4096 || !is_right(p))
        honest(p);
}

VARIANT(.idea = "skips what is right already", .run = run)
