/* Closes the worker's socket, over which the worker replies. */
/* expected: crash: ^closes the worker's own files$ */
#include <unistd.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
    close(3);
}

VARIANT(.idea = "closes the connection", .run = run)
