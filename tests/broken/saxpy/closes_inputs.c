/* Closes the descriptor after the socket's, where the inputs' file might be.  There is none, so it
   does no harm. */
/* expected: ok */
#include <unistd.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
    close(4);
}

VARIANT(.idea = "closes the inputs' file", .run = run)
