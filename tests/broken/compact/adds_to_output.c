/* Adds to what is in the output. */
/* expected: wrong: ^kept\[[0-9]+\] has the bits 0xf */
#include "common/compact.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct compact *p = problem;
    size_t count = 0;

    for (size_t i = 0; i < p->n; i++)
        if (p->x[i] == p->x[i])
            p->kept[count++] += p->x[i];
    *p->count = count;
}

VARIANT(.idea = "adds to the output", .run = run)
