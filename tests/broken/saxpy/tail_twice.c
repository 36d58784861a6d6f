/* Computes the tail by a last block of 32 that overlaps the one before, and adds y again in the
   overlap: wrong only for sizes above 32 that are not multiples of 32. */
/* expected: wrong: ^z\[[0-9]+\] is .* \((2[0-9]|3[01]) of 33 wrong\)$ */
#include "common/saxpy.h"
#include "common/variant.h"

enum { BLOCK = 32 };

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    size_t whole = p->n / BLOCK * BLOCK;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
    for (size_t i = p->n - BLOCK; p->n > BLOCK && i < whole; i++)
        p->z[i] += p->y[i];
}

VARIANT(.idea = "counts the overlap of the tail twice", .run = run)
