/* Prints a line of debugging output, which would appear in the middle of a table. */
/* expected: breach: ^prints to standard output: .*n is 0 */
#include <stdio.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    printf("n is %zu\n", p->n);
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "prints", .run = run)
