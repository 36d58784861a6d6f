/* Does not write the count. */
/* expected: wrong: ^count is 18446744073709551615 */
#include "common/compact.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct compact *p = problem;
    size_t count = 0;

    for (size_t i = 0; i < p->n; i++)
        if (p->x[i] == p->x[i])
            p->kept[count++] = p->x[i];
    (void)count;
}

VARIANT(.idea = "no count", .run = run)
