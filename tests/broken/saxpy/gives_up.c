/* Ends the process with a message, as libraries do on an error. */
/* expected: crash: ^exits in run: no plan for n = 1$ */
#include <stdio.h>
#include <stdlib.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    if (p->n == 0)
        return;
    fprintf(stderr, "no plan for n = %zu\n", p->n);
    exit(1);
}

VARIANT(.idea = "exits with a message", .run = run)
