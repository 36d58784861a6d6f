/* Takes infinities for NaN: the exponent alone does not tell them apart. */
/* expected: wrong: ^(count is|kept\[) */
#include <string.h>

#include "common/compact.h"
#include "common/variant.h"

static uint32_t bits(float x)
{
    uint32_t word;

    memcpy(&word, &x, sizeof word);
    return word;
}

static void run(const void *problem)
{
    const struct compact *p = problem;
    size_t count = 0;

    for (size_t i = 0; i < p->n; i++)
        if ((bits(p->x[i]) & 0x7f800000) != 0x7f800000)
            p->kept[count++] = p->x[i];
    *p->count = count;
}

VARIANT(.idea = "by the exponent", .run = run)
