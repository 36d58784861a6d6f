/* Compares x with itself where the compiler may assume that there is no NaN: everything is kept. */
/* expected: wrong: ^count is */
#include "common/compact.h"
#include "common/variant.h"

__attribute__((optimize("finite-math-only"))) static void run(const void *problem)
{
    const struct compact *p = problem;
    size_t count = 0;

    for (size_t i = 0; i < p->n; i++)
        if (p->x[i] == p->x[i])
            p->kept[count++] = p->x[i];
    *p->count = count;
}

VARIANT(.idea = "by a comparison, with fast-math", .run = run)
