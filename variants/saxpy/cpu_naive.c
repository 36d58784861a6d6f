/*
 * saxpy / cpu_naive
 *
 * Idea     The specification as a loop: one thread, one element after another.
 * Against  Nothing; this is the first variant.
 * Expect   Bound by memory: 2 flops for 12 bytes moved.  The compiler may use vector instructions
 *          on its own; they wait for memory all the same.
 * Try      n = 2000 against n = 2^24: in cache, what limits the loop then?
 */
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "the specification as a loop", .run = run)
