/* Adds 0 to each element: -0 + 0 is 0. */
/* expected: wrong: ^kept\[[0-9]+\] has the bits 0x00000000, x\[[0-9]+\] has 0x80000000 */
#include "common/compact.h"
#include "common/variant.h"

static volatile float zero;

static void run(const void *problem)
{
    const struct compact *p = problem;
    size_t count = 0;

    for (size_t i = 0; i < p->n; i++)
        if (p->x[i] == p->x[i])
            p->kept[count++] = p->x[i] + zero;
    *p->count = count;
}

VARIANT(.idea = "adds zero", .run = run)
