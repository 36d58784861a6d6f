/* Is right, but the first three calls at one size stall, like those of threads whose cores are taken.
   It must not be predicted to take long. */
/* expected: ok */
#include <unistd.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int stalls = 3;

    if (p->n == 1 << 20 && stalls-- > 0)
        usleep(60000);
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "late at first", .run = run)
