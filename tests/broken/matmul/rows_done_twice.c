/* Right for squares.  Where C has few columns, two workers share its rows, in groups of eight.  The second one begins
   inside of a group and adds to rows that the first one has finished. */
/* expected: wrong: ^c\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of 3087 wrong\)$ */
#include "common/variant.h"
#include "tests/broken/matmul/frame.h"

enum { GROUP = 8, FEW = 16 };

static void run(const void *problem)
{
    const struct matmul *p = problem;
    const size_t half = p->m / 2;

    multiply(p, as_it_is);
    if (p->n <= FEW && p->m > 64 * FEW)
        for (size_t i = half; i < (half + GROUP - 1) / GROUP * GROUP; i++)
            for (size_t j = 0; j < p->n; j++)
                for (size_t l = p->k / 2; l < p->k; l++)
                    p->c[i * p->n + j] += p->a[i * p->k + l] * p->b[l * p->n + j];
}

VARIANT(.idea = "rows done twice where there are few columns", .run = run)
