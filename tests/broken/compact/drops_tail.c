/* Whole vectors of eight only. */
/* expected: wrong: ^(count is|kept\[) */
#include "common/compact.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct compact *p = problem;
    size_t count = 0;

    for (size_t i = 0; i < p->n / 8 * 8; i++)
        if (p->x[i] == p->x[i])
            p->kept[count++] = p->x[i];
    *p->count = count;
}

VARIANT(.idea = "drops the tail", .run = run)
