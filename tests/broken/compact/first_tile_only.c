/* Packs one tile of 1024. */
/* expected: wrong: ^(count is|kept\[) */
#include "common/compact.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct compact *p = problem;
    size_t count = 0;

    for (size_t i = 0; i < p->n && i < 1024; i++)
        if (p->x[i] == p->x[i])
            p->kept[count++] = p->x[i];
    *p->count = count;
}

VARIANT(.idea = "the first tile only", .run = run)
