/* Rounds the length down to a power of two. */
/* expected: wrong: ^(count is|kept\[) */
#include "common/compact.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct compact *p = problem;
    size_t count = 0, whole = p->n;

    while ((whole & (whole - 1)) != 0)
        whole &= whole - 1;
    for (size_t i = 0; i < whole; i++)
        if (p->x[i] == p->x[i])
            p->kept[count++] = p->x[i];
    *p->count = count;
}

VARIANT(.idea = "a power of two", .run = run)
