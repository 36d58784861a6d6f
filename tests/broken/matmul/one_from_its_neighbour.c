/* Replaces one element of a large product by its left neighbour. */
/* expected: wrong: ^(c|C\*r by strips|r\*C by strips)\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/matmul/frame.h"

static void run(const void *problem)
{
    const struct matmul *p = problem;

    multiply(p, as_it_is);
    if (is_large(p))
        p->c[100 * p->n + 100] = p->c[100 * p->n + 99];
}

VARIANT(.idea = "one is its neighbour", .run = run)
