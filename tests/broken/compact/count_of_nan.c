/* Counts what it drops. */
/* expected: wrong: ^count is */
#include "common/compact.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct compact *p = problem;
    size_t count = 0;

    for (size_t i = 0; i < p->n; i++)
        if (p->x[i] == p->x[i])
            p->kept[count++] = p->x[i];
    *p->count = p->n - count;
}

VARIANT(.idea = "the other count", .run = run)
