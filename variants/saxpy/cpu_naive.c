/*
 * saxpy / cpu_naive
 *
 * Idea     The specification as a loop: one thread, one element after another.
 * Against  Nothing; this is the first variant.
 * Expect   Bound by memory: 2 flops for 12 bytes moved.  The compiler may use vector instructions
 *          by itself; the loop waits for memory all the same.
 * Try      n = 2000 and n = 2^24.  The first fits in the cache: what bounds the loop then?
 * Level    1
 * Read     nothing else
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
