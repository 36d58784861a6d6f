/* Starts a child process, whose time no account of the worker would have, and which would share the cores with every later
   variant. */
/* expected: breach: ^starts a process of its own in run$ */
#include <unistd.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    if (fork() == 0)
        for (;;)
            pause();
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "starts a process", .run = run)
