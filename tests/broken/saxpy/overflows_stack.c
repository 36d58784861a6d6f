/* Recurses on half of its share until one element is left, which for an empty share never happens. */
/* expected: crash: ^segmentation fault in run at address 0x */
#include "common/saxpy.h"
#include "common/variant.h"

static void share(const struct saxpy *p, size_t first, size_t count)
{
    volatile float z;

    if (count == 1) {
        z = p->a * p->x[first];
        p->z[first] = z + p->y[first];
        return;
    }
    share(p, first, count / 2);
    share(p, first + count / 2, count - count / 2);
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    share(p, 0, p->n);
}

VARIANT(.idea = "overflows the stack", .run = run)
