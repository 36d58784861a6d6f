/* Returns zeros: right for inputs that are zero, and close for small ones. */
/* expected: wrong: ^z\[0\] is 0, expected .* \(1 of 1 wrong\)$ */
#include <string.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    memset(p->z, 0, p->n * sizeof *p->z);
}

VARIANT(.idea = "all zeros", .run = run)
