/* Omits one term of each sum in one 16 x 16 tile of a large product. */
/* expected: wrong: ^(c|C\*r by strips|r\*C by strips)\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/matmul/frame.h"

static void run(const void *problem)
{
    const struct matmul *p = problem;

    multiply(p, as_it_is);
    for (size_t i = 160; i < 176 && is_large(p); i++)
        for (size_t j = 64; j < 80; j++)
            p->c[i * p->n + j] -= p->a[i * p->k + 99] * p->b[99 * p->n + j];
}

VARIANT(.idea = "a tile misses a product", .run = run)
