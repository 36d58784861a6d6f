/*
 * compact / cpu_naive
 *
 * Idea     The specification: one loop with one branch.
 * Against  nothing; this is what the other variants are compared with.
 * Expect   The processor guesses each branch before it knows x[i].  A wrong guess costs 10 to 20 cycles.  With 20 % NaN
 *          one guess in five is wrong, so an element takes about 1 ns.  With 0 or 100 % none is wrong.
 * Try      --size n=16777216,nan=0 and 1, 10, 50, 90, 100: the time rises and falls, the work only falls.
 * Level    1
 * Read     nothing else
 */
#include "common/compact.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct compact *p = problem;
    size_t count = 0;

    for (size_t i = 0; i < p->n; i++)
        if (p->x[i] == p->x[i]) /* a NaN is not equal to itself */
            p->kept[count++] = p->x[i];
    *p->count = count;
}

VARIANT(.idea = "one loop with one branch", .run = run)
